! The C API from Fortran: a tree of tasks, a loop and a reduction. The module comes with jackdaw as source:
!   gfortran -O3 $(pkg-config --variable=fortran jackdaw) 16-fortran.f90 $(pkg-config --libs jackdaw) && ./a.out
module tasks
  use, intrinsic :: iso_c_binding
  use jackdaw
  implicit none

  type :: number
    integer :: n
    integer(8) :: result
  end type number

contains

  subroutine must(status)
    integer(c_int), intent(in) :: status
    if (status /= JACKDAW_OK) then
      print '(3a)', jackdaw_status_name(status), ': ', jackdaw_last_error()
      error stop
    end if
  end subroutine must

  recursive subroutine fib(arg) bind(c)
    type(c_ptr), value :: arg
    type(number), pointer :: self
    type(number), target :: left, right
    call c_f_pointer(arg, self)
    if (self%n < 2) then
      self%result = self%n
      return
    end if
    left%n = self%n - 1
    right%n = self%n - 2
    call must(jackdaw_invoke_work(2.0_c_double, c_funloc(fib), c_loc(left), 1.0_c_double, c_funloc(fib), c_loc(right)))
    self%result = left%result + right%result
  end subroutine fib

  ! Indices from first to last - 1.
  subroutine fill(first, last, arg) bind(c)
    integer(c_int64_t), value :: first, last
    type(c_ptr), value :: arg
    real(c_double), pointer :: x(:)
    integer(c_int64_t) :: i
    call c_f_pointer(arg, x, [last - 1])
    do i = first, last - 1
      x(i) = real(i, c_double)
    end do
  end subroutine fill

  subroutine add(first, last, partial, arg) bind(c)
    integer(c_int64_t), value :: first, last
    type(c_ptr), value :: partial, arg
    real(c_double), pointer :: x(:), sum_here
    call c_f_pointer(arg, x, [last - 1])
    call c_f_pointer(partial, sum_here)
    sum_here = sum_here + sum(x(first:last - 1))
  end subroutine add

  subroutine combine(left, right, arg) bind(c)
    type(c_ptr), value :: left, right, arg
    real(c_double), pointer :: a, b
    call c_f_pointer(left, a)
    call c_f_pointer(right, b)
    a = a + b
    if (c_associated(arg)) continue  ! not needed here
  end subroutine combine

end module tasks

program example
  use tasks
  implicit none
  integer(c_int64_t), parameter :: n = 100000
  type(number), target :: root
  real(c_double), target :: zero, total
  type(c_ptr) :: x, group

  root%n = 20
  call must(jackdaw_run(c_null_ptr, c_funloc(fib), c_loc(root)))
  print '(a, i0)', 'fib(20) = ', root%result

  call must(jackdaw_alloc(n * 8_c_size_t, memory=x))
  call must(jackdaw_for(1_c_int64_t, n + 1, 0_c_size_t, c_funloc(fill), x))
  zero = 0
  call must(jackdaw_reduce(1_c_int64_t, n + 1, 0_c_size_t, 8_c_size_t, c_loc(zero), c_funloc(add), c_funloc(combine), &
      x, c_loc(total)))
  print '(a, f0.0)', 'sum ', total
  call must(jackdaw_free(x))

  call must(jackdaw_group_begin(group))
  call must(jackdaw_group_spawn(group, c_funloc(fib), c_loc(root)))
  call must(jackdaw_group_end(group))
  print '(a)', jackdaw_status_name(jackdaw_group_wait(group))
end program example
