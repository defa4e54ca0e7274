# Doxygen's view of a header: the headers carry plain comments, this makes documentation of those that
# stand directly above a declaration or behind one. Bodies of functions are left alone. It relies on the
# format that tests/format.sh checks: namespaces do not indent, members stand at two spaces.
#
# - The comment that opens a file is the text of its page.
# - A comment above a run of declarations, which an empty line or another comment ends, is that of each
#   of them but for those that have one behind them.
# - What Doxygen itself would not miss a comment of gets an unknown command, so that it warns.
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
      gsub(/"\\</, "\"<", parts[i])  # Doxygen takes nothing in quotes for markup
      gsub(/try_[a-z_]*[a-z]/, "&()", parts[i])  # a link
      gsub(/\(\)\(/, "(", parts[i])
    }
    out = out (i > 1 ? "`" : "") parts[i]
  }
  return out
}

function say(line) { said = said margin "///" (line == "" ? "" : " ") line "\n" }

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

# The comment in `held` as documentation.
function document(    i, code, text) {
  code = 0
  said = ""
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
  return said
}

function release(    i) {
  for (i = 1; i <= count; ++i) print held[i]
  count = 0
}

# The line without what may hold a bracket that is none: strings, characters and the comment.
function bare(line) {
  gsub(/\\./, "", line)
  gsub(/'.?'/, "", line)
  gsub(/"[^"]*"/, "", line)
  sub(/ *\/\/.*/, "", line)
  return line
}

# The declaration in `lines` is complete. `is_told`: it has a comment of its own behind it.
function declared(    i) {
  if (size == 0) return
  if (is_first || !is_told) printf "%s", shared
  i = lines[1] ~ /^ *template/ ? 2 : 1
  if (shared == "" && !is_told && !is_private && (in_enum || lines[i] ~ unmissed)) {
    print "/// @undocumented"
  }
  for (i = 1; i <= size; ++i) print lines[i]
  size = is_first = 0
}

# One more line of a declaration. Where the brackets do not tell its end, the format does.
function add(    code) {
  code = bare($0)
  is_told = 0
  depth += gsub(/[({[]/, "&", code) - gsub(/[])}]/, "&", code)
  lines[++size] = $0
  if (!(indent == level && code ~ /^ *}/) &&
      !(depth <= 0 && (code ~ /;$|[{].*}$/ || in_enum && code ~ /,$/))) {
    return
  }
  if (match($0, /[;,}] +\/\/ /)) {
    lines[size] = substr($0, 1, RSTART) "  ///< " escaped(substr($0, RSTART + RLENGTH))
    is_told = 1
  }
  declared()
}

# Where Doxygen would not miss a comment: friends, destructors, constructors by default, concepts; and
# enumerators. Of a command that it does not know it complains.
BEGIN { unmissed = "^ *(constexpr )?(friend [^(]*[(]|~|[A-Z][A-Za-z]*[(][)]|concept )" }

{
  gsub(/\[\[nodiscard\]\] /, "")
  sub(/namespace strided::inline STRIDED_ABI/, "namespace strided")
  indent = match($0, /[^ ]/) - 1
}

# The comment behind a member goes on.
is_told && size == 0 && /^ +\/\/ / && indent > level {
  sub(/^ *\/\/ /, "")
  print "///< " escaped($0)
  next
}

# The members of a class are declarations of their own.
indent == 0 && /^(class|struct|enum|union)[^;]*$/ {
  if (count > 0) {
    shared = document()
    is_first = 1
  }
  lines[++size] = $0
  is_told = 0
  declared()
  shared = ""
  in_class = 1
  in_enum = /^enum/
  is_private = 0
  next
}

# The last enumerator may have no comma, and a macro no semicolon.
size > 0 && depth <= 0 && indent < level { declared() }

size > 0 {
  add()
  next
}

# A comment where declarations stand.
/^ *\/\/ / && (indent == 0 || indent == 2 && in_class) || /^ *\/\/$/ && count > 0 {
  if (count == 0) margin = substr($0, 1, indent)
  held[++count] = $0
  next
}

indent == 0 && /^}/ { in_class = in_enum = is_private = 0 }
/^ (public|private):/ { is_private = /private/ }

# No declaration: an empty line, a directive, the end of a class or a namespace, public: and private:.
/^ *([#}]|namespace|public:|private:|$)/ || indent != 0 && !(indent == 2 && in_class) {
  if (count > 0 && /^#pragma once/) {
    print "/// @file"
    printf "%s", document()
  }
  release()
  shared = ""
  is_told = 0
  print
  next
}

{
  if (count > 0 && indent == length(margin)) {
    shared = document()
    is_first = 1
  }
  release()
  level = indent
  depth = 0
  add()
}

END {
  declared()
  release()
}
