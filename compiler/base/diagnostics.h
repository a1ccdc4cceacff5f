// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What LLVM reports while it works on a context, as text. Without a handler LLVM prints an error and ends the process.
#pragma once

#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/DiagnosticPrinter.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/Support/Error.h>
#include <llvm/Support/raw_ostream.h>

#include <memory>
#include <string>
#include <utility>

namespace lanewise {

/// From construction to destruction, errors reported in `context` are appended to `text`, one per line.
class DiagnosticCapture {
 public:
  explicit DiagnosticCapture(llvm::LLVMContext& context)
      : context_(context), previous_(context.getDiagnosticHandler()) {
    context.setDiagnosticHandler(std::make_unique<Handler>(text));
  }
  ~DiagnosticCapture() { context_.setDiagnosticHandler(std::move(previous_)); }
  DiagnosticCapture(const DiagnosticCapture&) = delete;
  DiagnosticCapture& operator=(const DiagnosticCapture&) = delete;

  std::string text;

 private:
  struct Handler final : llvm::DiagnosticHandler {
    explicit Handler(std::string& destination) : text(destination) {}
    bool handleDiagnostics(const llvm::DiagnosticInfo& info) override {
      if (info.getSeverity() != llvm::DS_Error) return true;
      llvm::raw_string_ostream out(text);
      llvm::DiagnosticPrinterRawOStream printer(out);
      info.print(printer);
      out << '\n';
      return true;
    }
    std::string& text;
  };

  llvm::LLVMContext& context_;
  std::unique_ptr<llvm::DiagnosticHandler> previous_;
};

/// An error for the build log.
inline llvm::Error failure(const llvm::Twine& message) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), message);
}

}  // namespace lanewise
