// A whole program, which is compiled and not run. Its main is a member here, and a real one needs no return statement.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wreturn-type"
struct Program
{
// The block.
};
#pragma GCC diagnostic pop
static_cast<void>(Program{});
