// vkrun: runs jobs on a Vulkan device, one after the other in one process. A job comes as lines of text on standard input and
// its results go as lines to standard output, so that a test runner can keep one process for hundreds of shaders.
//
//   spirv NAME HEX                        a module
//   buffer ID HEX                         a buffer with these bytes
//   image ID FORMAT DIM WIDTH HEIGHT DEPTH LAYERS MIPS VIEW [HEX]     DIM 1 to 3; VIEW is a VkImageViewType
//   sampler ID FILTER MIPFILTER ADDRESS COMPARE                       Vulkan's numbers; COMPARE -1 is none
//   bind SET BINDING ELEMENT ID [FORMAT]  what a descriptor shows; FORMAT for typed buffers
//   shader STAGE NAME ENTRY               STAGE compute, vertex or pixel
//   spec ID HEX                           a specialization constant of all stages
//   push HEX
//   attribute LOCATION FORMAT STRIDE ID   a vertex attribute with a buffer of its own
//   target SLOT ID                        a colour target;  `depth ID` the depth target
//   clear ID X Y Z W                      numbers as the bits of a clear value
//   capture FILE                          have RenderDoc record the dispatch or draw that follows (see renderdoc.h)
//   dispatch X Y Z | draw VERTICES INSTANCES
//   read ID                               answers `data ID HEX`
//   end                                   answers `ok` or `fail CODE MESSAGE`
//
// Codes: 1 Vulkan failed, 2 the device lacks something, 3 the job is malformed, 4 the shader's interface does not fit.
#include "pipeline.h"

static void readBack(Job &job, const string &id) {
  auto buffer = job.buffers.find(id);
  if (buffer != job.buffers.end()) {
    job.answer << "data " << id << " " << toHex(buffer->second.bytes, buffer->second.size) << "\n";
    return;
  }
  Image &image = named(job.images, id, "buffer or image");
  size_t size;
  auto copies = parts(image, size);
  Buffer staging = makeBuffer(size);
  submit([&](VkCommandBuffer commands) {
    vkCmdCopyImageToBuffer(commands, image.image, VK_IMAGE_LAYOUT_GENERAL, staging.buffer, copies.size(), copies.data());
  });
  job.answer << "data " << id << " " << toHex(staging.bytes, size) << "\n";
}

static VkSampler makeSampler(uint32_t filter, uint32_t mipFilter, uint32_t address, int compare) {
  VkSamplerCreateInfo info{VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO};
  info.magFilter = info.minFilter = (VkFilter)filter;
  info.mipmapMode = (VkSamplerMipmapMode)mipFilter;
  info.addressModeU = info.addressModeV = info.addressModeW = (VkSamplerAddressMode)address;
  info.maxLod = VK_LOD_CLAMP_NONE;
  info.compareEnable = compare >= 0;
  info.compareOp = (VkCompareOp)std::max(compare, 0);
  VkSampler sampler;
  CHECK(vkCreateSampler(device, &info, nullptr, &sampler));
  atEnd([=] { vkDestroySampler(device, sampler, nullptr); });
  return sampler;
}

static VkShaderStageFlagBits stageOf(const string &name) {
  if (name == "compute") return VK_SHADER_STAGE_COMPUTE_BIT;
  if (name == "vertex") return VK_SHADER_STAGE_VERTEX_BIT;
  if (name == "pixel") return VK_SHADER_STAGE_FRAGMENT_BIT;
  fail(3, "there is no stage '%s'", name.c_str());
}

// One line of a job; the words behind the command stand in `in`.
static void perform(Job &job, const string &command, std::istringstream &in) {
  auto word = [&] {
    string text;
    in >> text;
    return text;
  };
  auto number = [&] {
    int64_t value = 0;
    if (!(in >> value)) fail(3, "%s lacks a number", command.c_str());
    return (uint32_t)value;
  };
  string id;
  if (command == "spirv") {
    id = word();
    Bytes bytes = fromHex(word());
    auto &words = job.modules[id];
    words.resize(bytes.size() / 4);
    memcpy(words.data(), bytes.data(), words.size() * 4);
  } else if (command == "buffer") {
    id = word();
    Bytes bytes = fromHex(word());
    Buffer made = makeBuffer(bytes.size());
    std::copy(bytes.begin(), bytes.end(), made.bytes);
    job.buffers[id] = made;
  } else if (command == "image") {
    id = word();
    VkImageCreateInfo info{VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO};
    info.format = (VkFormat)number();
    info.imageType = (VkImageType)(number() - 1);
    info.extent.width = number();
    info.extent.height = number();
    info.extent.depth = number();
    info.arrayLayers = number();
    info.mipLevels = number();
    auto view = (VkImageViewType)number();
    job.images[id] = makeImage(info, view, fromHex(word()));
  } else if (command == "sampler") {
    id = word();
    uint32_t filter = number(), mipFilter = number(), address = number();
    job.samplers[id] = makeSampler(filter, mipFilter, address, (int)number());
  } else if (command == "bind") {
    uint32_t set = number(), binding = number(), element = number();
    id = word();
    uint32_t format = 0;
    in >> format;
    job.bound[{set, binding}][element] = {id, (VkFormat)format};
  } else if (command == "shader") {
    VkShaderStageFlagBits stage = stageOf(word());
    id = word();
    job.shaders.push_back({stage, id, word()});
  } else if (command == "spec") {
    uint32_t constant = number();
    Bytes bytes = fromHex(word());
    job.specialization.push_back({constant, (uint32_t)job.specializationData.size(), bytes.size()});
    job.specializationData.insert(job.specializationData.end(), bytes.begin(), bytes.end());
  } else if (command == "push") {
    job.push = fromHex(word());
  } else if (command == "attribute") {
    uint32_t location = number(), format = number(), stride = number();
    job.attributes.push_back({location, stride, (VkFormat)format, word()});
  } else if (command == "target") {
    uint32_t slot = number();
    job.targets[slot] = word();
  } else if (command == "depth") {
    job.depth = word();
  } else if (command == "capture") {
    // The rest of the line, which may hold blanks.
    std::getline(in >> std::ws, job.capture);
  } else if (command == "clear") {
    Image &image = named(job.images, word(), "image");
    uint32_t bits[4];
    for (auto &one : bits) one = number();
    submit([&](VkCommandBuffer commands) { clearImage(commands, image, bits); });
  } else if (command == "dispatch") {
    uint32_t x = number(), y = number(), z = number();
    dispatch(job, x, y, z);
  } else if (command == "draw") {
    uint32_t vertices = number(), instances = number();
    draw(job, vertices, instances);
  } else if (command == "read") {
    readBack(job, word());
  } else
    fail(3, "there is no command '%s'", command.c_str());
}

int main() {
  try {
    openDevice();
  } catch (const Failure &failure) {
    std::cout << "fail " << failure.code << " " << failure.message << std::endl;
    return failure.code;
  }
  Job job;
  string failed;
  for (string line; std::getline(std::cin, line);) {
    std::istringstream in(line);
    string command;
    in >> command;
    if (command == "end") {
      std::cout << (failed.empty() ? job.answer.str() + "ok" : failed) << std::endl;
      vkDeviceWaitIdle(device);
      for (auto action = cleanup.rbegin(); action != cleanup.rend(); ++action) (*action)();
      cleanup.clear();
      job = Job{};
      failed.clear();
    } else if (failed.empty())
      try {
        perform(job, command, in);
      } catch (const Failure &failure) {
        failed = "fail " + std::to_string(failure.code) + " " + failure.message;
      }
  }
  // Teardown is left to the operating system.
  std::cout.flush();
  std::quick_exit(0);
}
