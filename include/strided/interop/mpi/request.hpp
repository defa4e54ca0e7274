// mpi_isend and mpi_irecv: views as messages under way.
#pragma once

#include <mpi.h>

#include <memory>
#include <new>
#include <span>
#include <type_traits>
#include <utility>

#include "strided/core/config.hpp"
#include "strided/core/result.hpp"
#include "strided/interop/mpi/datatype.hpp"
#include "strided/interop/mpi/error.hpp"
#include "strided/interop/mpi/message.hpp"
#include "strided/view/strided_view.hpp"

namespace strided::inline STRIDED_ABI {

namespace detail {

// What a message under way needs until it is done, whatever its element type.
class MpiPending {
 public:
  MpiPending() = default;
  MpiPending(const MpiPending&) = delete;
  MpiPending& operator=(const MpiPending&) = delete;
  virtual ~MpiPending() = default;
  virtual Failure finish(const MPI_Status& status) = 0;
};

template <class T>
class MpiPendingMessage final : public MpiPending {
 public:
  MpiMessage<T> message;

  Failure finish(const MPI_Status& status) override {
    if constexpr (std::is_const_v<T>) return {};  // the status of a send has no count
    return message.finish(status);
  }
};

}  // namespace detail

// A message under way, of which it holds the packed elements. wait() ends it; for a receive that
// is when the elements are in the view, and not before: MPI's own completion is not enough. Views
// and an executor have to stay until then. Move-only; what is not waited for is waited for by the
// destructor, which drops the failure. One thread at a time.
class MpiRequest {
 public:
  MpiRequest() noexcept = default;  // nothing under way

  // Moves the message; nothing is under way in the other then. One that is assigned to waits for
  // its own message, as the destructor does.
  MpiRequest(MpiRequest&& other) noexcept { swap(other); }
  MpiRequest& operator=(MpiRequest&& other) noexcept {
    MpiRequest taken(std::move(other));
    swap(taken);
    return *this;
  }
  // Waits for the message, unless MPI is finalized, and drops the failure.
  ~MpiRequest() {
    if (pending_ != nullptr && !detail::mpi_is_over()) static_cast<void>(try_wait());
  }

  // Whether something is under way that was not waited for.
  [[nodiscard]] bool is_pending() const noexcept { return pending_ != nullptr; }

  // Returns when the message is sent, or received and unpacked; at once where nothing is under way.
  // Errors: as mpi_send and mpi_recv; the request is over then, too.
  void wait() { detail::mpi_raise_if(try_wait()); }
  // The same, without exceptions.
  [[nodiscard]] Failure try_wait() {
    if (pending_ == nullptr) return {};
    MPI_Status status;
    return end(MPI_Wait(&request_, &status), "MPI_Wait", status);
  }

  // Whether the message is done; if so as wait(), otherwise nothing happens.
  [[nodiscard]] bool test() {
    bool done = false;
    detail::mpi_raise_if(try_test(done));
    return done;
  }
  // The same, without exceptions.
  [[nodiscard]] Failure try_test(bool& done) {
    done = true;
    if (pending_ == nullptr) return {};
    MPI_Status status;
    int flag = 0;
    const int code = MPI_Test(&request_, &flag, &status);
    done = flag != 0 || code != MPI_SUCCESS;
    return done ? end(code, "MPI_Test", status) : Failure();
  }

  // What mpi_isend and mpi_irecv are made of: `start` is called with a prepared message and a place
  // for MPI's request.
  template <class T, class Start>
  [[nodiscard]] static Result<MpiRequest> try_start(const StridedView<T>& view,
                                                    const MpiOptions& options, const char* call,
                                                    const char* function, Start start) {
    Result<MpiRequest> made{std::in_place};
    std::unique_ptr<detail::MpiPendingMessage<T>> pending(new (std::nothrow)
                                                              detail::MpiPendingMessage<T>);
    Failure failure;
    if (pending == nullptr) {
      failure = {ErrorCode::out_of_memory, "a request", -1, sizeof(detail::MpiPendingMessage<T>)};
    } else {
      failure = pending->message.prepare(view, options);
    }
    if (!failure) {
      failure = detail::mpi_failure(start(pending->message, &(*made).request_), function);
    }
    if (failure) return std::move(made.fail(failure.of_copy_in(call, failure.subject)));
    (*made).call_ = call;
    (*made).pending_ = std::move(pending);
    return made;
  }

 private:
  void swap(MpiRequest& other) noexcept {
    std::swap(request_, other.request_);
    std::swap(pending_, other.pending_);
    std::swap(call_, other.call_);
  }

  [[nodiscard]] Failure end(int code, const char* function, const MPI_Status& status) {
    const std::unique_ptr<detail::MpiPending> pending = std::move(pending_);
    Failure failure = detail::mpi_failure(code, function);
    if (!failure) failure = pending->finish(status);
    return failure ? failure.of_copy_in(call_, failure.subject) : failure;
  }

  MPI_Request request_ = MPI_REQUEST_NULL;
  std::unique_ptr<detail::MpiPending> pending_;
  const char* call_ = "";
};

// The request of mpi_isend(), or why there is none, without exceptions.
template <MpiElement T>
[[nodiscard]] Result<MpiRequest> try_mpi_isend(const StridedView<T>& view, int destination, int tag,
                                               MPI_Comm comm, const MpiOptions& options = {}) {
  return MpiRequest::try_start(StridedView<const T>(view), options, "mpi_isend", "MPI_Isend",
                               [=](const auto& message, MPI_Request* request) {
                                 return MPI_Isend(message.address, message.count, message.sent_as,
                                                  destination, tag, comm, request);
                               });
}

// Begins to send a view, as mpi_send; a packed view may be written again at once, another one only
// after wait(). Errors: as mpi_send.
//
//   MpiRequest sent = mpi_isend(block.select(0, 1), left, 0, comm);
template <MpiElement T>
[[nodiscard]] MpiRequest mpi_isend(const StridedView<T>& view, int destination, int tag,
                                   MPI_Comm comm, const MpiOptions& options = {}) {
  Result<MpiRequest> made = try_mpi_isend(view, destination, tag, comm, options);
  detail::mpi_raise_if(made.error());
  return std::move(*made);
}

// The request of mpi_irecv(), or why there is none, without exceptions.
template <MpiElement T>
[[nodiscard]] Result<MpiRequest> try_mpi_irecv(const StridedView<T>& view, int source, int tag,
                                               MPI_Comm comm, const MpiOptions& options = {}) {
  static_assert(!std::is_const_v<T>, "strided: the elements to receive into are const");
  return MpiRequest::try_start(view, options, "mpi_irecv", "MPI_Irecv",
                               [=](auto& message, MPI_Request* request) {
                                 message.from_nobody = source == MPI_PROC_NULL;
                                 return MPI_Irecv(message.address, message.count, message.sent_as,
                                                  source, tag, comm, request);
                               });
}

// Begins to receive into a view, which holds the elements after wait(). Errors: as mpi_recv.
//
//   MpiRequest halo = mpi_irecv(block.select(0, 0), left, 0, comm);
//   halo.wait();
template <MpiElement T>
[[nodiscard]] MpiRequest mpi_irecv(const StridedView<T>& view, int source, int tag, MPI_Comm comm,
                                   const MpiOptions& options = {}) {
  Result<MpiRequest> made = try_mpi_irecv(view, source, tag, comm, options);
  detail::mpi_raise_if(made.error());
  return std::move(*made);
}

// Waits for all and returns the first failure, or none; what is done first is unpacked first.
[[nodiscard]] inline Failure try_wait_all(std::span<MpiRequest> requests) {
  Failure first;
  const auto keep = [&first](const Failure& failure) {
    if (!first) first = failure;
  };
  for (bool some_done = true; some_done;) {
    some_done = false;
    for (MpiRequest& request : requests) {
      if (!request.is_pending()) continue;
      bool done = false;
      keep(request.try_test(done));
      some_done = some_done || done;
    }
  }
  for (MpiRequest& request : requests) keep(request.try_wait());
  return first;
}

// Waits for all; throws the first failure, when all are over.
inline void wait_all(std::span<MpiRequest> requests) {
  detail::mpi_raise_if(try_wait_all(requests));
}

}  // namespace strided::inline STRIDED_ABI
