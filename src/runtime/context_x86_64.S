/* The two ways to switch stacks on x86-64 System V: see include/jackdaw/detail/context.hpp.
   The frame of a suspended context, from its stack pointer up: MXCSR and the x87 control word (half a word each),
   r15 r14 r13 r12 rbx rbp return-address. context_x86_64.cpp makes such a frame too. */
#if defined(__x86_64__)
#if defined(__CET__)
#define LANDING_PAD endbr64
#else
#define LANDING_PAD
#endif
        .text

        .globl  jackdaw_switch
        .type   jackdaw_switch, @function
        .p2align 4
jackdaw_switch:
        .cfi_startproc
        LANDING_PAD
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
        subq    $8, %rsp
        .cfi_adjust_cfa_offset 8
        stmxcsr (%rsp)
        fnstcw  4(%rsp)
        movq    %rsp, (%rdi)
        movq    %rsi, %rsp          /* the frame has the same shape, so the unwinding rules still hold */
        movq    %rdx, %rax
        ldmxcsr (%rsp)
        fldcw   4(%rsp)
        addq    $8, %rsp
        .cfi_adjust_cfa_offset -8
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
        LANDING_PAD
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
        subq    $8, %rsp
        .cfi_adjust_cfa_offset 8
        stmxcsr (%rsp)
        fnstcw  4(%rsp)
        movq    %rsp, (%rdi)
        movq    %rsp, %rbp          /* the callee preserves it, so this stack is found again */
        .cfi_def_cfa_register %rbp
        movq    %rsi, %rsp
        movq    %rsi, %rdi
        call    *%rdx
        movq    %rbp, %rsp          /* returned, so the context was not resumed and all registers are as before */
        .cfi_def_cfa_register %rsp
        ldmxcsr (%rsp)              /* except perhaps the rounding mode */
        fldcw   4(%rsp)
        movq    48(%rsp), %rbp
        .cfi_restore %rbp
        addq    $56, %rsp
        .cfi_adjust_cfa_offset -56
        ret
        .cfi_endproc
        .size   jackdaw_call_on, .-jackdaw_call_on

        /* A context of make_context starts here: r12 is the function, rbx its argument. */
        .globl  jackdaw_begin
        .hidden jackdaw_begin
        .type   jackdaw_begin, @function
        .p2align 4
jackdaw_begin:
        .cfi_startproc
        .cfi_undefined %rip         /* a debugger's backtrace ends here */
        LANDING_PAD
        movq    %rbx, %rdi
        call    *%r12
        ud2
        .cfi_endproc
        .size   jackdaw_begin, .-jackdaw_begin

/* What the linker may assume of this object: landing pads (1), if the compiler puts them into its own objects. Never a
   shadow stack (2), which cet.h would declare: contexts do not switch it, so the first return after a switch would end
   the program. Linkers declare for a program what all of its objects declare. */
#if defined(__CET__) && (__CET__ & 1)
        .section .note.gnu.property, "a", @note
        .p2align 3
        .long   4, 16, 5            /* lengths of name and description; NT_GNU_PROPERTY_TYPE_0 */
        .asciz  "GNU"
        .long   0xc0000002, 4, 1, 0 /* GNU_PROPERTY_X86_FEATURE_1_AND: GNU_PROPERTY_X86_FEATURE_1_IBT */
#endif
#endif
        .section .note.GNU-stack,"",@progbits
