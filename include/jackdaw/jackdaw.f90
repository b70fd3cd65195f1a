!> The C API of jackdaw (jackdaw.h) for Fortran. jackdaw.h says what each function does; docs/c.md shows how to use them
!> here. Compile this file with your program: modules of one Fortran compiler are of no use to another one.
!>
!> Functions that tasks run are subroutines with bind(c), whose only argument is `type(c_ptr), value`. Pass them with
!> c_funloc(), and their data with c_loc().
module jackdaw
  use, intrinsic :: iso_c_binding, only: c_char, c_double, c_f_pointer, c_funptr, c_int, c_int32_t, c_int64_t, &
      c_null_ptr, c_ptr, c_size_t
  implicit none
  private :: c_char, c_double, c_f_pointer, c_funptr, c_int, c_int32_t, c_int64_t, c_null_ptr, c_ptr, c_size_t

  ! jackdaw_status
  integer(c_int), parameter :: JACKDAW_OK = 0
  integer(c_int), parameter :: JACKDAW_ERROR_ARGUMENT = 1
  integer(c_int), parameter :: JACKDAW_ERROR_HANDLE = 2
  integer(c_int), parameter :: JACKDAW_ERROR_OWNER = 3
  integer(c_int), parameter :: JACKDAW_ERROR_INPUT = 4
  integer(c_int), parameter :: JACKDAW_ERROR_NO_MEMORY = 5
  integer(c_int), parameter :: JACKDAW_ERROR_EXCEPTION = 6
  integer(c_int), parameter :: JACKDAW_ERROR_CANCELLED = 7
  ! jackdaw_choice
  integer(c_int32_t), parameter :: JACKDAW_DEFAULT = 0
  integer(c_int32_t), parameter :: JACKDAW_YES = 1
  integer(c_int32_t), parameter :: JACKDAW_NO = 2
  ! jackdaw_order
  integer(c_int32_t), parameter :: JACKDAW_ORDER_DEFAULT = 0
  integer(c_int32_t), parameter :: JACKDAW_SCATTER = 1
  integer(c_int32_t), parameter :: JACKDAW_COMPACT = 2
  ! jackdaw_policy
  integer(c_int), parameter :: JACKDAW_WORK_FIRST = 0
  integer(c_int), parameter :: JACKDAW_HELP_FIRST = 1
  real(c_double), parameter :: JACKDAW_UNKNOWN = -1.0_c_double
  ! jackdaw_place
  integer(c_int32_t), parameter :: JACKDAW_FIRST_TOUCH = 0
  integer(c_int32_t), parameter :: JACKDAW_ON_NODE = 1
  integer(c_int32_t), parameter :: JACKDAW_INTERLEAVE = 2
  integer(c_int32_t), parameter :: JACKDAW_BY_BANDWIDTH = 3
  integer(c_int32_t), parameter :: JACKDAW_FASTEST = 4
  ! jackdaw_pages
  integer(c_int32_t), parameter :: JACKDAW_PAGES_AUTOMATIC = 0
  integer(c_int32_t), parameter :: JACKDAW_PAGES_BASE = 1
  integer(c_int32_t), parameter :: JACKDAW_PAGES_HUGE = 2

  !> A variable of this type has the defaults; the texts are C strings, which end with c_null_char.
  type, bind(c) :: jackdaw_options
    integer(c_size_t) :: size = 96
    type(c_ptr) :: scheduler = c_null_ptr
    type(c_ptr) :: node_order = c_null_ptr
    type(c_ptr) :: events = c_null_ptr
    type(c_ptr) :: record = c_null_ptr
    type(c_ptr) :: stats = c_null_ptr
    type(c_ptr) :: trace = c_null_ptr
    integer(c_size_t) :: stack_size = 0
    integer(c_int64_t) :: data_size = 0
    integer(c_int32_t) :: workers = 0
    integer(c_int32_t) :: branching = 0
    integer(c_int32_t) :: order = 0
    integer(c_int32_t) :: pin = 0
    integer(c_int32_t) :: count_accesses = 0
    integer(c_int32_t) :: tied = 0
  end type jackdaw_options

  type, bind(c) :: jackdaw_stats
    integer(c_size_t) :: size = 184
    integer(c_int64_t) :: steals_local = 0
    integer(c_int64_t) :: steals_core = 0
    integer(c_int64_t) :: steals_cache = 0
    integer(c_int64_t) :: steals_remote = 0
    integer(c_int64_t) :: failed_steals = 0
    integer(c_int64_t) :: failed_remote = 0
    integer(c_int64_t) :: forced_steals = 0
    integer(c_int64_t) :: migrations = 0
    integer(c_int64_t) :: suspensions = 0
    integer(c_int64_t) :: sleeps = 0
    integer(c_int64_t) :: in_place = 0
    integer(c_int64_t) :: rescues = 0
    integer(c_int64_t) :: turns = 0
    integer(c_int64_t) :: tasks = 0
    integer(c_int64_t) :: roots = 0
    integer(c_int64_t) :: at_home = 0
    integer(c_int64_t) :: away = 0
    integer(c_int64_t) :: search_ns = 0
    integer(c_int64_t) :: sleep_ns = 0
    integer(c_int64_t) :: local_bytes = 0
    integer(c_int64_t) :: remote_bytes = 0
    integer(c_int64_t) :: moved_bytes = 0
  end type jackdaw_stats

  type, bind(c) :: jackdaw_placement
    integer(c_size_t) :: size = 40
    integer(c_size_t) :: budget = 0
    integer(c_size_t) :: alignment = 0
    integer(c_int32_t) :: place = 0
    integer(c_int32_t) :: pages = 0
    integer(c_int32_t) :: node = 0
    integer(c_int32_t) :: reserved = 0
  end type jackdaw_placement

  interface
    function jackdaw_runtime_create(options, made) bind(c) result(status)
      import :: c_int, c_ptr, jackdaw_options
      type(jackdaw_options), intent(in), optional :: options
      type(c_ptr), intent(out) :: made
      integer(c_int) :: status
    end function jackdaw_runtime_create

    function jackdaw_runtime_destroy(runtime) bind(c) result(status)
      import :: c_int, c_ptr
      type(c_ptr), value :: runtime
      integer(c_int) :: status
    end function jackdaw_runtime_destroy

    function jackdaw_run(runtime, f, arg) bind(c) result(status)
      import :: c_funptr, c_int, c_ptr
      type(c_ptr), value :: runtime
      type(c_funptr), value :: f
      type(c_ptr), value :: arg
      integer(c_int) :: status
    end function jackdaw_run

    function jackdaw_configure(options) bind(c) result(status)
      import :: c_int, jackdaw_options
      type(jackdaw_options), intent(in), optional :: options
      integer(c_int) :: status
    end function jackdaw_configure

    function jackdaw_shutdown() bind(c) result(status)
      import :: c_int
      integer(c_int) :: status
    end function jackdaw_shutdown

    function jackdaw_workers(runtime, workers) bind(c) result(status)
      import :: c_int, c_int32_t, c_ptr
      type(c_ptr), value :: runtime
      integer(c_int32_t), intent(out) :: workers
      integer(c_int) :: status
    end function jackdaw_workers

    function jackdaw_concurrency(workers) bind(c) result(status)
      import :: c_int, c_int32_t
      integer(c_int32_t), intent(out) :: workers
      integer(c_int) :: status
    end function jackdaw_concurrency

    function jackdaw_this_worker() bind(c) result(found)
      import :: c_int32_t
      integer(c_int32_t) :: found
    end function jackdaw_this_worker

    function jackdaw_stats_get(runtime, stats) bind(c) result(status)
      import :: c_int, c_ptr, jackdaw_stats
      type(c_ptr), value :: runtime
      type(jackdaw_stats), intent(inout) :: stats
      integer(c_int) :: status
    end function jackdaw_stats_get

    function jackdaw_worker_stats_get(runtime, worker, stats) bind(c) result(status)
      import :: c_int, c_int32_t, c_ptr, jackdaw_stats
      type(c_ptr), value :: runtime
      integer(c_int32_t), value :: worker
      type(jackdaw_stats), intent(inout) :: stats
      integer(c_int) :: status
    end function jackdaw_worker_stats_get

    function jackdaw_stats_reset(runtime) bind(c) result(status)
      import :: c_int, c_ptr
      type(c_ptr), value :: runtime
      integer(c_int) :: status
    end function jackdaw_stats_reset

    function jackdaw_invoke(f, a, g, b) bind(c) result(status)
      import :: c_funptr, c_int, c_ptr
      type(c_funptr), value :: f
      type(c_ptr), value :: a
      type(c_funptr), value :: g
      type(c_ptr), value :: b
      integer(c_int) :: status
    end function jackdaw_invoke

    function jackdaw_invoke_work(work_f, f, a, work_g, g, b) bind(c) result(status)
      import :: c_double, c_funptr, c_int, c_ptr
      real(c_double), value :: work_f
      type(c_funptr), value :: f
      type(c_ptr), value :: a
      real(c_double), value :: work_g
      type(c_funptr), value :: g
      type(c_ptr), value :: b
      integer(c_int) :: status
    end function jackdaw_invoke_work

    function jackdaw_group_begin(group) bind(c) result(status)
      import :: c_int, c_ptr
      type(c_ptr), intent(out) :: group
      integer(c_int) :: status
    end function jackdaw_group_begin

    function jackdaw_group_begin_with(group, total_work, order) bind(c) result(status)
      import :: c_double, c_int, c_ptr
      type(c_ptr), intent(out) :: group
      real(c_double), value :: total_work
      integer(c_int), value :: order
      integer(c_int) :: status
    end function jackdaw_group_begin_with

    function jackdaw_group_spawn(group, f, arg) bind(c) result(status)
      import :: c_funptr, c_int, c_ptr
      type(c_ptr), value :: group
      type(c_funptr), value :: f
      type(c_ptr), value :: arg
      integer(c_int) :: status
    end function jackdaw_group_spawn

    function jackdaw_group_spawn_work(group, work, f, arg) bind(c) result(status)
      import :: c_double, c_funptr, c_int, c_ptr
      type(c_ptr), value :: group
      real(c_double), value :: work
      type(c_funptr), value :: f
      type(c_ptr), value :: arg
      integer(c_int) :: status
    end function jackdaw_group_spawn_work

    function jackdaw_group_spawn_near(group, first, bytes, work, f, arg) bind(c) result(status)
      import :: c_double, c_funptr, c_int, c_ptr, c_size_t
      type(c_ptr), value :: group
      type(c_ptr), value :: first
      integer(c_size_t), value :: bytes
      real(c_double), value :: work
      type(c_funptr), value :: f
      type(c_ptr), value :: arg
      integer(c_int) :: status
    end function jackdaw_group_spawn_near

    function jackdaw_group_wait(group) bind(c) result(status)
      import :: c_int, c_ptr
      type(c_ptr), value :: group
      integer(c_int) :: status
    end function jackdaw_group_wait

    function jackdaw_group_end(group) bind(c) result(status)
      import :: c_int, c_ptr
      type(c_ptr), value :: group
      integer(c_int) :: status
    end function jackdaw_group_end

    function jackdaw_tied(f, arg) bind(c) result(status)
      import :: c_funptr, c_int, c_ptr
      type(c_funptr), value :: f
      type(c_ptr), value :: arg
      integer(c_int) :: status
    end function jackdaw_tied

    !> The body: subroutine body(first, last, arg) bind(c), with integer(c_int64_t), value :: first, last. It does
    !> the indices from first to last - 1.
    function jackdaw_for(first, last, grain, body, arg) bind(c) result(status)
      import :: c_funptr, c_int, c_int64_t, c_ptr, c_size_t
      integer(c_int64_t), value :: first
      integer(c_int64_t), value :: last
      integer(c_size_t), value :: grain
      type(c_funptr), value :: body
      type(c_ptr), value :: arg
      integer(c_int) :: status
    end function jackdaw_for

    !> The body: subroutine body(first, last, partial, arg) bind(c); to combine: subroutine combine(left, right, arg)
    !> bind(c), each with type(c_ptr), value :: partial, left, right, arg.
    function jackdaw_reduce(first, last, grain, size, identity, body, combine, arg, result) bind(c) result(status)
      import :: c_funptr, c_int, c_int64_t, c_ptr, c_size_t
      integer(c_int64_t), value :: first
      integer(c_int64_t), value :: last
      integer(c_size_t), value :: grain
      integer(c_size_t), value :: size
      type(c_ptr), value :: identity
      type(c_funptr), value :: body
      type(c_funptr), value :: combine
      type(c_ptr), value :: arg
      type(c_ptr), value :: result
      integer(c_int) :: status
    end function jackdaw_reduce

    function jackdaw_sort(base, count, size, compare) bind(c) result(status)
      import :: c_funptr, c_int, c_ptr, c_size_t
      type(c_ptr), value :: base
      integer(c_size_t), value :: count
      integer(c_size_t), value :: size
      type(c_funptr), value :: compare
      integer(c_int) :: status
    end function jackdaw_sort

    function jackdaw_sort_with(base, count, size, compare, arg) bind(c) result(status)
      import :: c_funptr, c_int, c_ptr, c_size_t
      type(c_ptr), value :: base
      integer(c_size_t), value :: count
      integer(c_size_t), value :: size
      type(c_funptr), value :: compare
      type(c_ptr), value :: arg
      integer(c_int) :: status
    end function jackdaw_sort_with

    function jackdaw_stable_sort(base, count, size, compare, arg) bind(c) result(status)
      import :: c_funptr, c_int, c_ptr, c_size_t
      type(c_ptr), value :: base
      integer(c_size_t), value :: count
      integer(c_size_t), value :: size
      type(c_funptr), value :: compare
      type(c_ptr), value :: arg
      integer(c_int) :: status
    end function jackdaw_stable_sort

    function jackdaw_alloc(bytes, how, memory) bind(c) result(status)
      import :: c_int, c_ptr, c_size_t, jackdaw_placement
      integer(c_size_t), value :: bytes
      type(jackdaw_placement), intent(in), optional :: how
      type(c_ptr), intent(out) :: memory
      integer(c_int) :: status
    end function jackdaw_alloc

    function jackdaw_free(memory) bind(c) result(status)
      import :: c_int, c_ptr
      type(c_ptr), value :: memory
      integer(c_int) :: status
    end function jackdaw_free

    subroutine jackdaw_reads(first, bytes) bind(c)
      import :: c_ptr, c_size_t
      type(c_ptr), value :: first
      integer(c_size_t), value :: bytes
    end subroutine jackdaw_reads

    subroutine jackdaw_writes(first, bytes) bind(c)
      import :: c_ptr, c_size_t
      type(c_ptr), value :: first
      integer(c_size_t), value :: bytes
    end subroutine jackdaw_writes

    subroutine jackdaw_reads_rows(first, rows, row_bytes, stride) bind(c)
      import :: c_ptr, c_size_t
      type(c_ptr), value :: first
      integer(c_size_t), value :: rows
      integer(c_size_t), value :: row_bytes
      integer(c_size_t), value :: stride
    end subroutine jackdaw_reads_rows

    subroutine jackdaw_writes_rows(first, rows, row_bytes, stride) bind(c)
      import :: c_ptr, c_size_t
      type(c_ptr), value :: first
      integer(c_size_t), value :: rows
      integer(c_size_t), value :: row_bytes
      integer(c_size_t), value :: stride
    end subroutine jackdaw_writes_rows

    function jackdaw_name_memory(first, bytes, name) bind(c) result(status)
      import :: c_char, c_int, c_ptr, c_size_t
      type(c_ptr), value :: first
      integer(c_size_t), value :: bytes
      character(kind=c_char), dimension(*), intent(in) :: name
      integer(c_int) :: status
    end function jackdaw_name_memory

    function c_status_name(status) bind(c, name="jackdaw_status_name") result(found)
      import :: c_int, c_ptr
      integer(c_int), value :: status
      type(c_ptr) :: found
    end function c_status_name

    function c_last_error() bind(c, name="jackdaw_last_error") result(found)
      import :: c_ptr
      type(c_ptr) :: found
    end function c_last_error

    function c_length(text) bind(c, name="strlen") result(found)
      import :: c_ptr, c_size_t
      type(c_ptr), value :: text
      integer(c_size_t) :: found
    end function c_length
  end interface

  private :: c_status_name, c_last_error, c_length, as_text

contains

  !> Returns the name of a status: jackdaw_status_name() of C.
  function jackdaw_status_name(status) result(name)
    integer(c_int), intent(in) :: status
    character(:), allocatable :: name
    name = as_text(c_status_name(status))
  end function jackdaw_status_name

  !> Returns what was wrong with the last call that failed on the calling thread: jackdaw_last_error() of C.
  function jackdaw_last_error() result(message)
    character(:), allocatable :: message
    message = as_text(c_last_error())
  end function jackdaw_last_error

  function as_text(from) result(text)
    type(c_ptr), intent(in) :: from
    character(:), allocatable :: text
    character(kind=c_char), pointer :: chars(:)
    integer :: i
    call c_f_pointer(from, chars, [c_length(from)])
    allocate (character(size(chars)) :: text)
    do i = 1, size(chars)
      text(i:i) = chars(i)
    end do
  end function as_text

end module jackdaw
