/* The two ways to change stacks on x86-64 System V: see include/jackdaw/detail/context.hpp.
   Frame of a suspended context, from its stack pointer up: r15 r14 r13 r12 rbx rbp return-address. */
#if defined(__x86_64__)
#if defined(__CET__)
#include <cet.h>
#else
#define _CET_ENDBR
#endif
        .text

        .globl  jackdaw_switch
        .type   jackdaw_switch, @function
        .p2align 4
jackdaw_switch:
        .cfi_startproc
        _CET_ENDBR
        pushq   %rbp
        .cfi_adjust_cfa_offset 8
        .cfi_rel_offset %rbp, 0
        pushq   %rbx
        .cfi_adjust_cfa_offset 8
        .cfi_rel_offset %rbx, 0
        pushq   %r12
        .cfi_adjust_cfa_offset 8
        .cfi_rel_offset %r12, 0
        pushq   %r13
        .cfi_adjust_cfa_offset 8
        .cfi_rel_offset %r13, 0
        pushq   %r14
        .cfi_adjust_cfa_offset 8
        .cfi_rel_offset %r14, 0
        pushq   %r15
        .cfi_adjust_cfa_offset 8
        .cfi_rel_offset %r15, 0
        movq    %rsp, (%rdi)
        movq    %rsi, %rsp          /* the frame has the same shape, so the unwinding rules go on holding */
        movq    %rdx, %rax
        popq    %r15
        .cfi_adjust_cfa_offset -8
        .cfi_restore %r15
        popq    %r14
        .cfi_adjust_cfa_offset -8
        .cfi_restore %r14
        popq    %r13
        .cfi_adjust_cfa_offset -8
        .cfi_restore %r13
        popq    %r12
        .cfi_adjust_cfa_offset -8
        .cfi_restore %r12
        popq    %rbx
        .cfi_adjust_cfa_offset -8
        .cfi_restore %rbx
        popq    %rbp
        .cfi_adjust_cfa_offset -8
        .cfi_restore %rbp
        ret
        .cfi_endproc
        .size   jackdaw_switch, .-jackdaw_switch

        .globl  jackdaw_call_on
        .type   jackdaw_call_on, @function
        .p2align 4
jackdaw_call_on:
        .cfi_startproc
        _CET_ENDBR
        pushq   %rbp
        .cfi_adjust_cfa_offset 8
        .cfi_rel_offset %rbp, 0
        pushq   %rbx
        .cfi_adjust_cfa_offset 8
        .cfi_rel_offset %rbx, 0
        pushq   %r12
        .cfi_adjust_cfa_offset 8
        .cfi_rel_offset %r12, 0
        pushq   %r13
        .cfi_adjust_cfa_offset 8
        .cfi_rel_offset %r13, 0
        pushq   %r14
        .cfi_adjust_cfa_offset 8
        .cfi_rel_offset %r14, 0
        pushq   %r15
        .cfi_adjust_cfa_offset 8
        .cfi_rel_offset %r15, 0
        movq    %rsp, (%rdi)
        movq    %rsp, %rbp          /* the callee preserves it: that is how the way back is found */
        .cfi_def_cfa_register %rbp
        movq    %rsi, %rsp
        movq    %rcx, %rdi
        call    *%rdx
        movq    %rbp, %rsp          /* returned, so nobody has resumed this context and all registers are as before */
        .cfi_def_cfa_register %rsp
        movq    40(%rsp), %rbp
        .cfi_restore %rbp
        addq    $48, %rsp
        .cfi_adjust_cfa_offset -48
        ret
        .cfi_endproc
        .size   jackdaw_call_on, .-jackdaw_call_on

        /* First switched to by a context of make_context: r12 is the function, rbx its argument. */
        .globl  jackdaw_begin
        .hidden jackdaw_begin
        .type   jackdaw_begin, @function
        .p2align 4
jackdaw_begin:
        .cfi_startproc
        .cfi_undefined %rip         /* a debugger's backtrace ends here */
        _CET_ENDBR
        movq    %rbx, %rdi
        call    *%r12
        ud2
        .cfi_endproc
        .size   jackdaw_begin, .-jackdaw_begin
#endif
        .section .note.GNU-stack,"",@progbits
