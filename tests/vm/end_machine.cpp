// end_machine STATUS: ends the virtual machine through QEMU's isa-debug-exit, whose own status is STATUS * 2 + 1.
#include <sys/io.h>

#include <cstdio>
#include <cstdlib>

int main(int argc, char** argv) {
  constexpr unsigned short port = 0xf4;
  if (argc != 2) {
    std::fputs("usage: end_machine STATUS\n", stderr);
    return 2;
  }
  const int status = std::atoi(argv[1]);
  if (ioperm(port, 1, 1) != 0) {
    std::perror("end_machine: ioperm");
    return 1;
  }
  outb(static_cast<unsigned char>(status), port);
  return 0;
}
