// Output in serial order. The first view writes to the stream itself.
#pragma once
#include <cilk/reducer.h>

#include <ostream>
#include <sstream>
#include <string>

namespace cilk {

template <class C, class R = std::char_traits<C>>
class op_ostream_view : private std::basic_stringbuf<C, R>, public std::basic_ostream<C, R> {
 public:
  using value_type = std::basic_ostream<C, R>;
  op_ostream_view() : value_type(static_cast<std::basic_stringbuf<C, R>*>(this)) {}
  explicit op_ostream_view(const value_type& to) : value_type(to.rdbuf()) {
    this->flags(to.flags());
    this->setstate(to.rdstate());
  }
  void reduce(op_ostream_view* right) {
    const std::basic_string<C, R> written = static_cast<std::basic_stringbuf<C, R>*>(right)->str();
    this->write(written.data(), static_cast<std::streamsize>(written.size()));
  }
  const value_type& view_get_value() const { return *this; }
};
template <class C, class R = std::char_traits<C>, bool Align = false>
struct op_basic_ostream : monoid_with_view<op_ostream_view<C, R>> {};
using op_ostream = op_basic_ostream<char>;
using op_wostream = op_basic_ostream<wchar_t>;

template <class C>
class reducer_basic_ostream : public reducer<op_basic_ostream<C>> {
 public:
  explicit reducer_basic_ostream(const std::basic_ostream<C>& to) : reducer<op_basic_ostream<C>>(to) {}
  std::basic_ostream<C>& get_reference() { return this->view(); }
  template <class T>
  reducer_basic_ostream& operator<<(const T& what) {
    get_reference() << what;
    return *this;
  }
  reducer_basic_ostream& operator<<(std::basic_ostream<C>& (*manipulator)(std::basic_ostream<C>&)) {
    get_reference() << manipulator;
    return *this;
  }
};
using reducer_ostream = reducer_basic_ostream<char>;
using reducer_wostream = reducer_basic_ostream<wchar_t>;

}  // namespace cilk
