// The device, and what jobs make on it: buffers, images, submissions. Everything is freed when the job ends.
#pragma once
#include "renderdoc.h"

#include <vulkan/vulkan.h>
#include <algorithm>
#include <cstdarg>
#include <cstring>
#include <functional>
#include <iostream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

using std::map;
using std::string;
using std::vector;
using Bytes = vector<uint8_t>;

struct Failure {
  int code;
  string message;
};
[[noreturn]] static void fail(int code, const char *format, ...) {
  char text[512];
  va_list list;
  va_start(list, format);
  vsnprintf(text, sizeof text, format, list);
  va_end(list);
  throw Failure{code, text};
}
#define CHECK(call)                                                        \
  do {                                                                     \
    VkResult result_ = (call);                                             \
    if (result_ != VK_SUCCESS) fail(1, "%s gave %d", #call, (int)result_); \
  } while (0)

static Bytes fromHex(const string &text) {
  auto digit = [](char c) { return c <= '9' ? c - '0' : c - 'a' + 10; };
  Bytes bytes(text.size() / 2);
  for (size_t i = 0; i < bytes.size(); i++) bytes[i] = digit(text[2 * i]) << 4 | digit(text[2 * i + 1]);
  return bytes;
}
static string toHex(const uint8_t *bytes, size_t size) {
  static const char digits[] = "0123456789abcdef";
  string text(size * 2, '0');
  for (size_t i = 0; i < size; i++) text[2 * i] = digits[bytes[i] >> 4], text[2 * i + 1] = digits[bytes[i] & 15];
  return text;
}

// ---- the device, opened once

static VkPhysicalDevice physical;
static VkDevice device;
static VkQueue queue;
static VkCommandPool commandPool;
static VkPhysicalDeviceMemoryProperties memoryProperties;

static RenderDoc renderDoc;

static void openDevice() {
  if (RenderDoc::wanted() && !renderDoc.load()) fail(2, "librenderdoc.so cannot be loaded");
  VkApplicationInfo application{VK_STRUCTURE_TYPE_APPLICATION_INFO};
  application.apiVersion = VK_API_VERSION_1_3;
  VkInstanceCreateInfo instanceInfo{VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
  instanceInfo.pApplicationInfo = &application;
  VkInstance instance;
  CHECK(vkCreateInstance(&instanceInfo, nullptr, &instance));
  uint32_t count = 0;
  vkEnumeratePhysicalDevices(instance, &count, nullptr);
  vector<VkPhysicalDevice> all(count);
  vkEnumeratePhysicalDevices(instance, &count, all.data());
  for (auto one : all) {
    VkPhysicalDeviceProperties properties;
    vkGetPhysicalDeviceProperties(one, &properties);
    if (!physical || properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU) physical = one;
  }
  if (!physical) fail(2, "there is no Vulkan device");
  vkGetPhysicalDeviceMemoryProperties(physical, &memoryProperties);
  // Whatever the device can do is switched on: shaders then decide what they use.
  VkPhysicalDeviceFeatures2 features{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2};
  VkPhysicalDeviceVulkan11Features features11{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES};
  VkPhysicalDeviceVulkan12Features features12{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES};
  VkPhysicalDeviceVulkan13Features features13{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES};
  features.pNext = &features11;
  features11.pNext = &features12;
  features12.pNext = &features13;
  vkGetPhysicalDeviceFeatures2(physical, &features);
  vkEnumerateDeviceExtensionProperties(physical, nullptr, &count, nullptr);
  vector<VkExtensionProperties> available(count);
  vkEnumerateDeviceExtensionProperties(physical, nullptr, &count, available.data());
  vector<const char *> extensions;
  for (const char *wanted : {"VK_EXT_shader_stencil_export", "VK_EXT_shader_viewport_index_layer", "VK_GOOGLE_hlsl_functionality1",
                             "VK_GOOGLE_user_type", "VK_GOOGLE_decorate_string", "VK_EXT_post_depth_coverage"})
    for (auto &one : available)
      if (!strcmp(one.extensionName, wanted)) extensions.push_back(wanted);
  float priority = 1;
  VkDeviceQueueCreateInfo queueInfo{VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO};
  queueInfo.queueCount = 1;
  queueInfo.pQueuePriorities = &priority;
  VkDeviceCreateInfo info{VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO};
  info.pNext = &features;
  info.queueCreateInfoCount = 1;
  info.pQueueCreateInfos = &queueInfo;
  info.enabledExtensionCount = extensions.size();
  info.ppEnabledExtensionNames = extensions.data();
  CHECK(vkCreateDevice(physical, &info, nullptr, &device));
  vkGetDeviceQueue(device, 0, 0, &queue);
  VkCommandPoolCreateInfo poolInfo{VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
  CHECK(vkCreateCommandPool(device, &poolInfo, nullptr, &commandPool));
}

// ---- what a job makes, freed when it ends

static vector<std::function<void()>> cleanup;
static void atEnd(std::function<void()> action) { cleanup.push_back(std::move(action)); }

static VkDeviceMemory allocate(const VkMemoryRequirements &needs, VkMemoryPropertyFlags wanted) {
  for (uint32_t i = 0; i < memoryProperties.memoryTypeCount; i++) {
    if (!(needs.memoryTypeBits >> i & 1) || (memoryProperties.memoryTypes[i].propertyFlags & wanted) != wanted) continue;
    VkMemoryAllocateInfo info{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO};
    info.allocationSize = needs.size;
    info.memoryTypeIndex = i;
    VkDeviceMemory memory;
    CHECK(vkAllocateMemory(device, &info, nullptr, &memory));
    atEnd([=] { vkFreeMemory(device, memory, nullptr); });
    return memory;
  }
  fail(1, "no memory type fits");
}

struct Buffer {
  VkBuffer buffer;
  size_t size;
  uint8_t *bytes;
};
static Buffer makeBuffer(size_t size) {
  Buffer made{};
  made.size = size;
  VkBufferCreateInfo info{VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO};
  info.size = std::max<size_t>(size, 4);
  info.usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT | VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT |
               VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT |
               VK_BUFFER_USAGE_STORAGE_TEXEL_BUFFER_BIT | VK_BUFFER_USAGE_VERTEX_BUFFER_BIT;
  CHECK(vkCreateBuffer(device, &info, nullptr, &made.buffer));
  VkBuffer buffer = made.buffer;
  atEnd([=] { vkDestroyBuffer(device, buffer, nullptr); });
  VkMemoryRequirements needs;
  vkGetBufferMemoryRequirements(device, buffer, &needs);
  VkDeviceMemory memory = allocate(needs, VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT);
  CHECK(vkBindBufferMemory(device, buffer, memory, 0));
  CHECK(vkMapMemory(device, memory, 0, VK_WHOLE_SIZE, 0, (void **)&made.bytes));
  memset(made.bytes, 0, needs.size);
  return made;
}

struct Image {
  VkImage image;
  VkImageView view;
  VkImageCreateInfo info;
  bool isDepth() const { return info.format == VK_FORMAT_D32_SFLOAT; }
  VkImageAspectFlags aspect() const { return isDepth() ? VK_IMAGE_ASPECT_DEPTH_BIT : VK_IMAGE_ASPECT_COLOR_BIT; }
};

// ---- commands

static void fullBarrier(VkCommandBuffer commands) {
  VkMemoryBarrier barrier{VK_STRUCTURE_TYPE_MEMORY_BARRIER};
  barrier.srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT | VK_ACCESS_HOST_WRITE_BIT;
  barrier.dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT | VK_ACCESS_HOST_READ_BIT;
  VkPipelineStageFlags stages = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT | VK_PIPELINE_STAGE_HOST_BIT;
  vkCmdPipelineBarrier(commands, stages, stages, 0, 1, &barrier, 0, nullptr, 0, nullptr);
}

static void submit(const std::function<void(VkCommandBuffer)> &record) {
  VkCommandBufferAllocateInfo allocation{VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
  allocation.commandPool = commandPool;
  allocation.commandBufferCount = 1;
  VkCommandBuffer commands;
  CHECK(vkAllocateCommandBuffers(device, &allocation, &commands));
  VkCommandBufferBeginInfo begin{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  CHECK(vkBeginCommandBuffer(commands, &begin));
  fullBarrier(commands);
  record(commands);
  fullBarrier(commands);
  CHECK(vkEndCommandBuffer(commands));
  VkSubmitInfo info{VK_STRUCTURE_TYPE_SUBMIT_INFO};
  info.commandBufferCount = 1;
  info.pCommandBuffers = &commands;
  CHECK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
  CHECK(vkQueueWaitIdle(queue));
  vkFreeCommandBuffers(device, commandPool, 1, &commands);
}

static uint32_t texelSize(VkFormat format) {
  switch (format) {
    case VK_FORMAT_R8_UNORM: return 1;
    case VK_FORMAT_R16_SFLOAT: return 2;
    case VK_FORMAT_R16G16B16A16_UINT: case VK_FORMAT_R16G16B16A16_SFLOAT: case VK_FORMAT_R32G32_UINT:
    case VK_FORMAT_R32G32_SINT: case VK_FORMAT_R32G32_SFLOAT: return 8;
    case VK_FORMAT_R32G32B32_SFLOAT: return 12;
    case VK_FORMAT_R32G32B32A32_UINT: case VK_FORMAT_R32G32B32A32_SINT: case VK_FORMAT_R32G32B32A32_SFLOAT: return 16;
    default: return 4;
  }
}

// The parts of an image in the order of its bytes: layers outermost, then mip levels.
static vector<VkBufferImageCopy> parts(const Image &image, size_t &size) {
  vector<VkBufferImageCopy> all;
  size = 0;
  for (uint32_t layer = 0; layer < image.info.arrayLayers; layer++)
    for (uint32_t mip = 0; mip < image.info.mipLevels; mip++) {
      VkBufferImageCopy part{};
      part.bufferOffset = size;
      part.imageSubresource = {image.aspect(), mip, layer, 1};
      auto &whole = image.info.extent;
      part.imageExtent = {std::max(1u, whole.width >> mip), std::max(1u, whole.height >> mip), std::max(1u, whole.depth >> mip)};
      size += (size_t)part.imageExtent.width * part.imageExtent.height * part.imageExtent.depth * texelSize(image.info.format);
      all.push_back(part);
    }
  return all;
}

static void clearImage(VkCommandBuffer commands, const Image &image, const uint32_t *bits) {
  VkImageSubresourceRange all{image.aspect(), 0, VK_REMAINING_MIP_LEVELS, 0, VK_REMAINING_ARRAY_LAYERS};
  VkClearValue value;
  memcpy(&value, bits, 16);
  if (image.isDepth()) vkCmdClearDepthStencilImage(commands, image.image, VK_IMAGE_LAYOUT_GENERAL, &value.depthStencil, 1, &all);
  else vkCmdClearColorImage(commands, image.image, VK_IMAGE_LAYOUT_GENERAL, &value.color, 1, &all);
}

static Image makeImage(VkImageCreateInfo info, VkImageViewType viewType, const Bytes &bytes) {
  Image made{};
  info.samples = VK_SAMPLE_COUNT_1_BIT;
  info.usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT;
  if (viewType == VK_IMAGE_VIEW_TYPE_CUBE || viewType == VK_IMAGE_VIEW_TYPE_CUBE_ARRAY) info.flags |= VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT;
  VkFormatProperties properties;
  vkGetPhysicalDeviceFormatProperties(physical, info.format, &properties);
  auto can = [&](VkFormatFeatureFlags feature) { return (properties.optimalTilingFeatures & feature) != 0; };
  if (can(VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT)) info.usage |= VK_IMAGE_USAGE_SAMPLED_BIT;
  if (can(VK_FORMAT_FEATURE_STORAGE_IMAGE_BIT)) info.usage |= VK_IMAGE_USAGE_STORAGE_BIT;
  if (can(VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BIT) && info.imageType == VK_IMAGE_TYPE_2D) info.usage |= VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT;
  if (can(VK_FORMAT_FEATURE_DEPTH_STENCIL_ATTACHMENT_BIT)) info.usage |= VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT;
  VkImageFormatProperties limits;
  if (vkGetPhysicalDeviceImageFormatProperties(physical, info.format, info.imageType, info.tiling, info.usage, info.flags, &limits))
    fail(2, "the device has no such image of format %d", info.format);
  made.info = info;
  CHECK(vkCreateImage(device, &info, nullptr, &made.image));
  VkImage image = made.image;
  atEnd([=] { vkDestroyImage(device, image, nullptr); });
  VkMemoryRequirements needs;
  vkGetImageMemoryRequirements(device, image, &needs);
  CHECK(vkBindImageMemory(device, image, allocate(needs, 0), 0));
  VkImageViewCreateInfo viewInfo{VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO};
  viewInfo.image = image;
  viewInfo.viewType = viewType;
  viewInfo.format = info.format;
  viewInfo.subresourceRange = {made.aspect(), 0, VK_REMAINING_MIP_LEVELS, 0, VK_REMAINING_ARRAY_LAYERS};
  CHECK(vkCreateImageView(device, &viewInfo, nullptr, &made.view));
  VkImageView view = made.view;
  atEnd([=] { vkDestroyImageView(device, view, nullptr); });
  size_t size;
  auto copies = parts(made, size);
  if (!bytes.empty() && bytes.size() != size) fail(3, "the image has %zu bytes, not %zu", size, bytes.size());
  Buffer staging = makeBuffer(size);
  std::copy(bytes.begin(), bytes.end(), staging.bytes);
  submit([&](VkCommandBuffer commands) {
    VkImageMemoryBarrier barrier{VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER};
    barrier.dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT;
    barrier.newLayout = VK_IMAGE_LAYOUT_GENERAL;
    barrier.srcQueueFamilyIndex = barrier.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
    barrier.image = image;
    barrier.subresourceRange = {made.aspect(), 0, VK_REMAINING_MIP_LEVELS, 0, VK_REMAINING_ARRAY_LAYERS};
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, nullptr, 0, nullptr, 1, &barrier);
    vkCmdCopyBufferToImage(commands, staging.buffer, image, VK_IMAGE_LAYOUT_GENERAL, copies.size(), copies.data());
  });
  return made;
}
