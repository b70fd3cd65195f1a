! The names that Fortran has for OpenMP's functions, and what its compiler makes of constructs.
program names
  use omp_lib
  implicit none
  integer :: n, i, total, inside
  integer(kind=8) :: wide
  integer(kind=omp_lock_kind) :: lock
  integer(kind=omp_nest_lock_kind) :: nested
  integer(kind=omp_sched_kind) :: kind
  integer :: chunk
  integer, save :: own
  !$omp threadprivate(own)
  double precision :: begin
  character(len=60) :: text

  begin = omp_get_wtime()
  n = omp_get_max_threads()
  total = 0
  inside = 0
  call omp_init_lock(lock)
  call omp_init_nest_lock(nested)
  !$omp parallel
  own = omp_get_thread_num()
  !$omp do schedule(dynamic, 3) reduction(+:total)
  do i = 1, 100
    total = total + i
  end do
  !$omp end do
  do i = 1, 10
    call omp_set_lock(lock)
    total = total + 1
    call omp_unset_lock(lock)
    call omp_set_nest_lock(nested)
    call omp_set_nest_lock(nested)
    inside = inside + 1
    call omp_unset_nest_lock(nested)
    call omp_unset_nest_lock(nested)
  end do
  !$omp end parallel
  if (total /= 5050 + 10 * n .or. inside /= 10 * n) stop 1
  inside = 0
  !$omp parallel reduction(+:inside)
  if (own == omp_get_thread_num() .and. omp_get_num_threads() == n .and. omp_get_level() == 1) inside = 1
  !$omp end parallel
  if (inside /= n) stop 2
  call omp_destroy_lock(lock)
  call omp_destroy_nest_lock(nested)

  wide = 3
  call omp_set_schedule(omp_sched_guided, 4)
  call omp_get_schedule(kind, chunk)
  if (kind /= omp_sched_guided .or. chunk /= 4) stop 3
  call omp_set_dynamic(.true.)
  if (.not. omp_get_dynamic()) stop 4
  call omp_set_dynamic(.false.)
  call omp_set_max_active_levels(2)
  call omp_set_num_threads(2)
  inside = 0
  !$omp parallel reduction(+:inside)
  !$omp parallel reduction(+:inside)
  if (omp_get_ancestor_thread_num(1) >= 0 .and. omp_get_team_size(2) == 2 .and. omp_in_parallel()) inside = 1
  !$omp end parallel
  !$omp end parallel
  if (inside /= 4) stop 5
  total = 0
  !$omp parallel
  !$omp single
  do i = 1, 20
    !$omp task shared(total)
    !$omp atomic
    total = total + i
    !$omp end task
  end do
  !$omp taskwait
  !$omp end single
  !$omp workshare
  chunk = total
  !$omp end workshare
  !$omp end parallel
  call omp_set_affinity_format('level %L thread %n')
  if (omp_capture_affinity(text, '') /= 16) stop 6
  if (omp_get_wtime() < begin .or. omp_get_wtick() <= 0) stop 7
  print '(a, 3i6)', trim(text), total, chunk, n
end program names
