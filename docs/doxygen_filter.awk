# Doxygen's view of a header: the headers carry plain comments, this makes documentation of those that
# stand directly above a declaration or behind a member. Bodies of functions are left alone. It relies
# on the format that tests/format.sh checks: namespaces do not indent, members stand at two spaces.
#
# - The comment that opens a file is the text of its page.
# - Lines indented by three spaces or more, after an empty one, are code.
# - "Errors ...:" and "Semantics:" become headed paragraphs.
# - What a reader of the interface need not see goes: [[nodiscard]] and the inline namespace.

# Text outside `code` with what Doxygen would take for markup shown as it is.
function escaped(text,    parts, n, i, out) {
  n = split(text, parts, "`")
  for (i = 1; i <= n; ++i) {
    if (i % 2 == 1) {
      gsub(/\\/, "\\\\\\\\", parts[i])
      gsub(/[<>@#]/, "\\\\&", parts[i])
      gsub(/try_[a-z_]*[a-z]/, "&()", parts[i])  # a link
      gsub(/\(\)\(/, "(", parts[i])
    }
    out = out (i > 1 ? "`" : "") parts[i]
  }
  return out
}

function say(line) { print margin "///" (line == "" ? "" : " ") line }

# "Errors, before the first write: those of copy." as a paragraph with a head.
function say_headed(text,    head) {
  head = text
  sub(/:.*/, "", head)
  sub(/^[^:]*: ?/, "", text)
  say("@par " head)
  if (text != "") say(text)
}

function say_prose(text,    at) {
  text = escaped(text)
  if (text ~ /^(Errors|Semantics)[^:.]*:( |$)/) return say_headed(text)
  if (match(text, /[.;)] (Errors|Semantics)[^:.]*:( |$)/)) {
    at = RSTART
    say(substr(text, 1, at))
    return say_headed(substr(text, at + 2))
  }
  say(text)
}

# The comment in `held` becomes documentation.
function document(    i, code, text) {
  code = 0
  for (i = 1; i <= count; ++i) {
    text = held[i]
    sub(/^ *\/\/ ?/, "", text)
    if (!code && text ~ /^  +[^ ]/ && (i == 1 || held[i - 1] ~ /^ *\/\/$/)) {
      code = 1
      say("@code{.cpp}")
    }
    if (code && text !~ /^  /) {
      code = 0
      say("@endcode")
    }
    if (code) say(substr(text, 3))
    else say_prose(text)
  }
  if (code) say("@endcode")
  count = 0
}

function release(    i) {
  for (i = 1; i <= count; ++i) print held[i]
  count = 0
}

{
  gsub(/\[\[nodiscard\]\] /, "")
  sub(/namespace strided::inline STRIDED_ABI/, "namespace strided")
  indent = match($0, /[^ ]/) - 1
}

# A comment where declarations stand.
/^ *\/\/ / && (indent == 0 || indent == 2 && in_class) || /^ *\/\/$/ && count > 0 {
  if (count == 0) margin = substr($0, 1, indent)
  held[++count] = $0
  next
}

count > 0 {
  if ($0 ~ /^#pragma once/) {
    print "/// @file"
    document()
  } else if (indent == length(margin) && $0 !~ /^ *([#}]|namespace|public:|private:|friend )/) {
    document()
  } else {
    release()
  }
}

# A comment behind a member or an enumerator.
in_class && (indent == 2 || pending && indent > 2) && match($0, /[;,] +\/\/ /) {
  text = substr($0, RSTART + RLENGTH)
  print substr($0, 1, RSTART) "  ///< " escaped(text)
  pending = 0
  next
}

indent == 0 && /^(class|struct|enum|union)[^;]*$/ { in_class = 1 }
indent == 0 && /^}/ { in_class = 0 }
{ pending = in_class && indent == 2 && /=$/ }
{ print }
END { release() }
