// RenderDoc's in-application interface, for recording one dispatch or draw. The library has to be there before the Vulkan instance
// is made, so a process that shall record is started with ENABLE_VULKAN_RENDERDOC_CAPTURE=1.
#pragma once
#include <dlfcn.h>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

// RENDERDOC_GetAPI(version, &table) gives a table of function pointers whose order is fixed by its version; only the slots used here
// are named.
struct RenderDoc {
  enum Slot { SetCaptureOptionU32 = 1, SetCaptureFilePathTemplate = 11, GetNumCaptures = 13, GetCapture = 14, StartFrameCapture = 19, EndFrameCapture = 21 };
  void **table = nullptr;

  static bool wanted() { return getenv("ENABLE_VULKAN_RENDERDOC_CAPTURE") != nullptr; }

  bool load() {
    void *library = dlopen("librenderdoc.so", RTLD_NOW);
    auto getApi = library ? (int (*)(int, void **))dlsym(library, "RENDERDOC_GetAPI") : nullptr;
    return getApi && getApi(10100, (void **)&table) == 1;
  }

  template <class Function> Function slot(Slot number) const { return (Function)table[number]; }

  void start(const std::string &path) const {
    const uint32_t referenceAllResources = 10;
    slot<void (*)(const char *)>(SetCaptureFilePathTemplate)(path.c_str());
    slot<int (*)(uint32_t, uint32_t)>(SetCaptureOptionU32)(referenceAllResources, 1);
    slot<void (*)(void *, void *)>(StartFrameCapture)(nullptr, nullptr);
  }

  // Ends the recording and gives its file the name that was asked for: RenderDoc appends to it.
  bool end(const std::string &path) const {
    if (slot<uint32_t (*)(void *, void *)>(EndFrameCapture)(nullptr, nullptr) != 1) return false;
    uint32_t count = slot<uint32_t (*)()>(GetNumCaptures)(), length = 0;
    auto getCapture = slot<uint32_t (*)(uint32_t, char *, uint32_t *, uint64_t *)>(GetCapture);
    if (!count || !getCapture(count - 1, nullptr, &length, nullptr)) return false;
    std::string written(length, '\0');
    getCapture(count - 1, written.data(), &length, nullptr);
    return rename(written.c_str(), path.c_str()) == 0;
  }
};
