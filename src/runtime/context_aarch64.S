/* The two ways to switch stacks on AArch64 (AAPCS64): see include/jackdaw/detail/context.hpp.
   The frame of a suspended context, from its stack pointer up: x29 x30 x19..x28 d8..d15 FPCR, and a word that keeps
   the stack pointer divisible by 16. context_aarch64.cpp makes such a frame too. */
#if defined(__aarch64__)
#define FRAME 176

/* A function that may be called through a pointer begins with a landing pad. If return addresses are signed, the
   signature covers the stack pointer on entry, which is the same when a context resumes. paciasp is a landing pad. */
#if defined(__ARM_FEATURE_PAC_DEFAULT)
#define ENTER   hint 25 /* paciasp */; .cfi_negate_ra_state
#define VERIFY  hint 29 /* autiasp */; .cfi_negate_ra_state
#else
#define ENTER   hint 34 /* bti c */
#define VERIFY
#endif

        .macro  save_context
        stp     x29, x30, [sp, #-FRAME]!
        .cfi_adjust_cfa_offset FRAME
        .cfi_rel_offset x29, 0
        .cfi_rel_offset x30, 8
        stp     x19, x20, [sp, #16]
        .cfi_rel_offset x19, 16
        .cfi_rel_offset x20, 24
        stp     x21, x22, [sp, #32]
        .cfi_rel_offset x21, 32
        .cfi_rel_offset x22, 40
        stp     x23, x24, [sp, #48]
        .cfi_rel_offset x23, 48
        .cfi_rel_offset x24, 56
        stp     x25, x26, [sp, #64]
        .cfi_rel_offset x25, 64
        .cfi_rel_offset x26, 72
        stp     x27, x28, [sp, #80]
        .cfi_rel_offset x27, 80
        .cfi_rel_offset x28, 88
        mrs     x9, fpcr
        stp     d8, d9, [sp, #96]
        .cfi_rel_offset d8, 96
        .cfi_rel_offset d9, 104
        stp     d10, d11, [sp, #112]
        .cfi_rel_offset d10, 112
        .cfi_rel_offset d11, 120
        stp     d12, d13, [sp, #128]
        .cfi_rel_offset d12, 128
        .cfi_rel_offset d13, 136
        stp     d14, d15, [sp, #144]
        .cfi_rel_offset d14, 144
        .cfi_rel_offset d15, 152
        str     x9, [sp, #160]
        mov     x10, sp
        str     x10, [x0]
        .endm

        /* Loads x29 and x30 and removes the frame. The other registers already have their values. */
        .macro  drop_frame
        ldp     x29, x30, [sp], #FRAME
        .cfi_adjust_cfa_offset -FRAME
        .cfi_restore x29
        .cfi_restore x30
        .endm

        .text

        .globl  jackdaw_switch
        .type   jackdaw_switch, %function
        .p2align 4
jackdaw_switch:
        .cfi_startproc
        ENTER
        save_context
        mov     sp, x1              /* the frame has the same shape, so the unwinding rules still hold */
        ldr     x10, [sp, #160]
        ldp     x19, x20, [sp, #16]
        .cfi_restore x19
        .cfi_restore x20
        ldp     x21, x22, [sp, #32]
        .cfi_restore x21
        .cfi_restore x22
        ldp     x23, x24, [sp, #48]
        .cfi_restore x23
        .cfi_restore x24
        ldp     x25, x26, [sp, #64]
        .cfi_restore x25
        .cfi_restore x26
        ldp     x27, x28, [sp, #80]
        .cfi_restore x27
        .cfi_restore x28
        ldp     d8, d9, [sp, #96]
        .cfi_restore d8
        .cfi_restore d9
        ldp     d10, d11, [sp, #112]
        .cfi_restore d10
        .cfi_restore d11
        ldp     d12, d13, [sp, #128]
        .cfi_restore d12
        .cfi_restore d13
        ldp     d14, d15, [sp, #144]
        .cfi_restore d14
        .cfi_restore d15
        cmp     x9, x10             /* a write drains the floating-point unit on many cores */
        b.eq    1f
        msr     fpcr, x10
1:      mov     x0, x2
        drop_frame
        VERIFY
        ret
        .cfi_endproc
        .size   jackdaw_switch, .-jackdaw_switch

        .globl  jackdaw_call_on
        .type   jackdaw_call_on, %function
        .p2align 4
jackdaw_call_on:
        .cfi_startproc
        ENTER
        save_context
        mov     x29, sp             /* the callee preserves it, so this stack is found again */
        .cfi_def_cfa_register x29
        mov     sp, x1
        mov     x0, x1
        blr     x2
        mov     sp, x29             /* returned, so the context was not resumed and all registers are as before */
        .cfi_def_cfa_register sp
        ldr     x10, [sp, #160]     /* except perhaps the rounding mode */
        mrs     x9, fpcr
        cmp     x9, x10
        b.eq    1f
        msr     fpcr, x10
1:      .cfi_restore x19
        .cfi_restore x20
        .cfi_restore x21
        .cfi_restore x22
        .cfi_restore x23
        .cfi_restore x24
        .cfi_restore x25
        .cfi_restore x26
        .cfi_restore x27
        .cfi_restore x28
        .cfi_restore d8
        .cfi_restore d9
        .cfi_restore d10
        .cfi_restore d11
        .cfi_restore d12
        .cfi_restore d13
        .cfi_restore d14
        .cfi_restore d15
        drop_frame
        VERIFY
        ret
        .cfi_endproc
        .size   jackdaw_call_on, .-jackdaw_call_on

        /* A context of make_context starts here, by a return: x19 is the function, x20 its argument. */
        .globl  jackdaw_begin
        .hidden jackdaw_begin
        .type   jackdaw_begin, %function
        .p2align 4
jackdaw_begin:
        .cfi_startproc
        .cfi_undefined x30          /* a debugger's backtrace ends here */
        hint    34
        mov     x0, x20
        blr     x19
        brk     #1
        .cfi_endproc
        .size   jackdaw_begin, .-jackdaw_begin

/* What the linker may assume of this object, as the compiler declares it of its own objects: landing pads (1), signed
   return addresses (2). No guarded control stack (4): contexts do not switch it. */
#if defined(__ARM_FEATURE_BTI_DEFAULT) && defined(__ARM_FEATURE_PAC_DEFAULT)
#define FEATURES 3
#elif defined(__ARM_FEATURE_BTI_DEFAULT)
#define FEATURES 1
#elif defined(__ARM_FEATURE_PAC_DEFAULT)
#define FEATURES 2
#endif
#if defined(FEATURES)
        .section .note.gnu.property, "a", %note
        .p2align 3
        .word   4, 16, 5            /* lengths of name and description; NT_GNU_PROPERTY_TYPE_0 */
        .asciz  "GNU"
        .word   0xc0000000, 4, FEATURES, 0      /* GNU_PROPERTY_AARCH64_FEATURE_1_AND */
#endif
#endif
        .section .note.GNU-stack, "", %progbits
