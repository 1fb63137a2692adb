// Pipelines: descriptor sets after what the shaders declare, then a dispatch or a draw.
#pragma once
#include "device.h"

struct Bound {
  string id;
  VkFormat format;
};
struct Attribute {
  uint32_t location, stride;
  VkFormat format;
  string id;
};
struct Shader {
  VkShaderStageFlagBits stage;
  string module, entry;
};

struct Job {
  map<string, vector<uint32_t>> modules;
  map<string, Buffer> buffers;
  map<string, Image> images;
  map<string, VkSampler> samplers;
  map<std::pair<uint32_t, uint32_t>, map<uint32_t, Bound>> bound;
  vector<Shader> shaders;
  vector<VkSpecializationMapEntry> specialization;
  Bytes specializationData, push;
  vector<Attribute> attributes;
  map<uint32_t, string> targets;
  string depth, capture;
  std::ostringstream answer;
};

template <class T> static T &named(map<string, T> &all, const string &id, const char *what) {
  auto found = all.find(id);
  if (found == all.end()) fail(3, "there is no %s '%s'", what, id.c_str());
  return found->second;
}

// ---- what a module declares

struct Declared {
  VkDescriptorType type;
  uint32_t count;
};
using Declarations = map<std::pair<uint32_t, uint32_t>, Declared>;

static VkDescriptorType imageDescriptor(const vector<uint32_t> &type) {
  enum { DimBuffer = 5, DimSubpass = 6, Storage = 2 };
  bool storage = type[5] == Storage;
  if (type[1] == DimBuffer) return storage ? VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER : VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER;
  if (type[1] == DimSubpass) fail(2, "input attachments are not supported by vkrun");
  return storage ? VK_DESCRIPTOR_TYPE_STORAGE_IMAGE : VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE;
}

static void readDeclarations(const vector<uint32_t> &words, Declarations &declarations) {
  enum Op { TypeImage = 25, TypeSampler = 26, TypeSampledImage = 27, TypeArray = 28, TypeRuntimeArray = 29, TypeStruct = 30,
            TypePointer = 32, Constant = 43, Variable = 59, Decorate = 71 };
  enum { BufferBlock = 3, Binding = 33, DescriptorSet = 34, StorageBuffer = 12 };
  if (words.size() < 5 || words[0] != 0x07230203) fail(4, "this is not SPIR-V");
  map<uint32_t, std::pair<uint32_t, vector<uint32_t>>> types;
  map<uint32_t, uint32_t> constants, sets, bindings;
  std::set<uint32_t> bufferBlocks;
  struct Variables { uint32_t id, type, storage; };
  vector<Variables> variables;
  for (size_t i = 5; i < words.size();) {
    uint32_t op = words[i] & 0xffff, length = words[i] >> 16;
    if (!length || i + length > words.size()) fail(4, "the instruction stream is broken");
    const uint32_t *operands = &words[i];
    if (op == Decorate && length > 3 && operands[2] == DescriptorSet) sets[operands[1]] = operands[3];
    if (op == Decorate && length > 3 && operands[2] == Binding) bindings[operands[1]] = operands[3];
    if (op == Decorate && operands[2] == BufferBlock) bufferBlocks.insert(operands[1]);
    if (op >= 19 && op <= 33) types[operands[1]] = {op, vector<uint32_t>(operands + 2, operands + length)};
    if (op == Constant) constants[operands[2]] = operands[3];
    if (op == Variable) variables.push_back({operands[2], operands[1], operands[3]});
    i += length;
  }
  for (auto &variable : variables) {
    if (!bindings.count(variable.id)) continue;
    uint32_t id = types[variable.type].second[1], count = 1;
    while (types[id].first == TypeArray || types[id].first == TypeRuntimeArray) {
      if (types[id].first == TypeArray) count *= constants[types[id].second[1]];
      id = types[id].second[0];
    }
    auto &[op, operands] = types[id];
    VkDescriptorType type;
    if (op == TypeStruct)
      type = variable.storage == StorageBuffer || bufferBlocks.count(id) ? VK_DESCRIPTOR_TYPE_STORAGE_BUFFER : VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER;
    else if (op == TypeSampler) type = VK_DESCRIPTOR_TYPE_SAMPLER;
    else if (op == TypeSampledImage) type = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
    else if (op == TypeImage) type = imageDescriptor(operands);
    else fail(2, "vkrun does not know the type of a resource");
    Declared &declared = declarations.insert({{sets[variable.id], bindings[variable.id]}, {type, 0}}).first->second;
    declared.count = std::max(declared.count, count);
  }
}

// ---- descriptors

struct Pipeline {
  VkPipelineLayout layout;
  vector<VkDescriptorSet> sets;
  VkPipeline pipeline;
};

static void writeDescriptor(Job &job, VkDescriptorSet set, uint32_t binding, uint32_t element, VkDescriptorType type, const Bound &bound) {
  VkWriteDescriptorSet write{VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET};
  VkDescriptorBufferInfo bufferInfo{};
  VkDescriptorImageInfo imageInfo{};
  VkBufferView view{};
  write.dstSet = set;
  write.dstBinding = binding;
  write.dstArrayElement = element;
  write.descriptorCount = 1;
  write.descriptorType = type;
  write.pBufferInfo = &bufferInfo;
  write.pImageInfo = &imageInfo;
  write.pTexelBufferView = &view;
  imageInfo.imageLayout = VK_IMAGE_LAYOUT_GENERAL;
  switch (type) {
    case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER:
    case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER:
      bufferInfo = {named(job.buffers, bound.id, "buffer").buffer, 0, VK_WHOLE_SIZE};
      break;
    case VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER:
    case VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER: {
      VkBufferViewCreateInfo info{VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO};
      info.buffer = named(job.buffers, bound.id, "buffer").buffer;
      info.format = bound.format;
      info.range = VK_WHOLE_SIZE;
      if (!info.format) fail(3, "typed buffer '%s' is bound without a format", bound.id.c_str());
      CHECK(vkCreateBufferView(device, &info, nullptr, &view));
      atEnd([=] { vkDestroyBufferView(device, view, nullptr); });
      break;
    }
    case VK_DESCRIPTOR_TYPE_SAMPLER:
      imageInfo.sampler = named(job.samplers, bound.id, "sampler");
      break;
    case VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER: {
      // The texture and the sampler of one binding come as `image+sampler`.
      size_t plus = bound.id.find('+');
      if (plus == string::npos) fail(4, "a texture with its sampler is declared, '%s' is bound", bound.id.c_str());
      imageInfo.imageView = named(job.images, bound.id.substr(0, plus), "image").view;
      imageInfo.sampler = named(job.samplers, bound.id.substr(plus + 1), "sampler");
      break;
    }
    default:
      imageInfo.imageView = named(job.images, bound.id, "image").view;
  }
  vkUpdateDescriptorSets(device, 1, &write, 0, nullptr);
}

static void makeDescriptors(Job &job, Pipeline &made) {
  Declarations declarations;
  for (auto &shader : job.shaders) readDeclarations(named(job.modules, shader.module, "module"), declarations);
  uint32_t setCount = 0;
  for (auto &one : declarations) setCount = std::max(setCount, one.first.first + 1);
  vector<VkDescriptorSetLayout> layouts(setCount);
  map<VkDescriptorType, uint32_t> totals;
  for (uint32_t set = 0; set < setCount; set++) {
    vector<VkDescriptorSetLayoutBinding> bindings;
    for (auto &[place, declared] : declarations) {
      if (place.first != set) continue;
      bindings.push_back({place.second, declared.type, declared.count, VK_SHADER_STAGE_ALL, nullptr});
      totals[declared.type] += declared.count;
    }
    VkDescriptorSetLayoutCreateInfo info{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO};
    info.bindingCount = bindings.size();
    info.pBindings = bindings.data();
    CHECK(vkCreateDescriptorSetLayout(device, &info, nullptr, &layouts[set]));
    VkDescriptorSetLayout layout = layouts[set];
    atEnd([=] { vkDestroyDescriptorSetLayout(device, layout, nullptr); });
  }
  VkPushConstantRange range{VK_SHADER_STAGE_ALL, 0, 128};
  VkPipelineLayoutCreateInfo info{VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
  info.setLayoutCount = setCount;
  info.pSetLayouts = layouts.data();
  info.pushConstantRangeCount = 1;
  info.pPushConstantRanges = &range;
  CHECK(vkCreatePipelineLayout(device, &info, nullptr, &made.layout));
  VkPipelineLayout layout = made.layout;
  atEnd([=] { vkDestroyPipelineLayout(device, layout, nullptr); });
  if (totals.empty()) return;
  vector<VkDescriptorPoolSize> sizes;
  for (auto &total : totals) sizes.push_back({total.first, total.second});
  VkDescriptorPoolCreateInfo poolInfo{VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO};
  poolInfo.maxSets = setCount;
  poolInfo.poolSizeCount = sizes.size();
  poolInfo.pPoolSizes = sizes.data();
  VkDescriptorPool pool;
  CHECK(vkCreateDescriptorPool(device, &poolInfo, nullptr, &pool));
  atEnd([=] { vkDestroyDescriptorPool(device, pool, nullptr); });
  VkDescriptorSetAllocateInfo allocation{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO};
  allocation.descriptorPool = pool;
  allocation.descriptorSetCount = setCount;
  allocation.pSetLayouts = layouts.data();
  made.sets.resize(setCount);
  CHECK(vkAllocateDescriptorSets(device, &allocation, made.sets.data()));
  for (auto &[place, declared] : declarations) {
    auto found = job.bound.find(place);
    if (found == job.bound.end()) fail(4, "the shader declares set %u binding %u, nothing is bound there", place.first, place.second);
    for (auto &[element, bound] : found->second) writeDescriptor(job, made.sets[place.first], place.second, element, declared.type, bound);
  }
}

// ---- pipelines

static vector<VkPipelineShaderStageCreateInfo> makeStages(Job &job, const VkSpecializationInfo *specialization) {
  vector<VkPipelineShaderStageCreateInfo> stages;
  for (auto &shader : job.shaders) {
    auto &words = named(job.modules, shader.module, "module");
    VkShaderModuleCreateInfo info{VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO};
    info.codeSize = words.size() * 4;
    info.pCode = words.data();
    VkShaderModule module;
    CHECK(vkCreateShaderModule(device, &info, nullptr, &module));
    atEnd([=] { vkDestroyShaderModule(device, module, nullptr); });
    stages.push_back({VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO, nullptr, 0, shader.stage, module, shader.entry.c_str(), specialization});
  }
  return stages;
}

static VkSpecializationInfo specializationOf(const Job &job) {
  return {(uint32_t)job.specialization.size(), job.specialization.data(), job.specializationData.size(), job.specializationData.data()};
}

static Pipeline finish(Pipeline made) {
  VkPipeline pipeline = made.pipeline;
  atEnd([=] { vkDestroyPipeline(device, pipeline, nullptr); });
  return made;
}

static Pipeline makeComputePipeline(Job &job) {
  Pipeline made{};
  if (job.shaders.size() != 1) fail(3, "a dispatch needs one shader");
  makeDescriptors(job, made);
  VkSpecializationInfo specialization = specializationOf(job);
  VkComputePipelineCreateInfo info{VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO};
  info.stage = makeStages(job, &specialization)[0];
  info.layout = made.layout;
  CHECK(vkCreateComputePipelines(device, VK_NULL_HANDLE, 1, &info, nullptr, &made.pipeline));
  return finish(made);
}

static Pipeline makeGraphicsPipeline(Job &job, VkExtent3D extent) {
  Pipeline made{};
  makeDescriptors(job, made);
  VkSpecializationInfo specialization = specializationOf(job);
  auto stages = makeStages(job, &specialization);
  vector<VkVertexInputBindingDescription> bindings;
  vector<VkVertexInputAttributeDescription> attributes;
  for (auto &one : job.attributes) {
    attributes.push_back({one.location, (uint32_t)bindings.size(), one.format, 0});
    bindings.push_back({(uint32_t)bindings.size(), one.stride, VK_VERTEX_INPUT_RATE_VERTEX});
  }
  VkPipelineVertexInputStateCreateInfo vertexInput{VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
  vertexInput.vertexBindingDescriptionCount = bindings.size();
  vertexInput.pVertexBindingDescriptions = bindings.data();
  vertexInput.vertexAttributeDescriptionCount = attributes.size();
  vertexInput.pVertexAttributeDescriptions = attributes.data();
  VkPipelineInputAssemblyStateCreateInfo assembly{VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO};
  assembly.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
  // Upside down, so that clip space is D3D's.
  VkViewport viewport{0, (float)extent.height, (float)extent.width, -(float)extent.height, 0, 1};
  VkRect2D scissor{{0, 0}, {extent.width, extent.height}};
  VkPipelineViewportStateCreateInfo viewports{VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO};
  viewports.viewportCount = viewports.scissorCount = 1;
  viewports.pViewports = &viewport;
  viewports.pScissors = &scissor;
  VkPipelineRasterizationStateCreateInfo raster{VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO};
  raster.frontFace = VK_FRONT_FACE_CLOCKWISE;
  raster.lineWidth = 1;
  VkPipelineMultisampleStateCreateInfo multisample{VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO};
  multisample.rasterizationSamples = VK_SAMPLE_COUNT_1_BIT;
  VkPipelineDepthStencilStateCreateInfo depthState{VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO};
  depthState.depthTestEnable = depthState.depthWriteEnable = !job.depth.empty();
  depthState.depthCompareOp = VK_COMPARE_OP_ALWAYS;
  vector<VkFormat> formats;
  for (auto &[slot, id] : job.targets) {
    formats.resize(slot + 1, VK_FORMAT_UNDEFINED);
    formats[slot] = named(job.images, id, "image").info.format;
  }
  VkPipelineColorBlendAttachmentState all{};
  all.colorWriteMask = 0xf;
  vector<VkPipelineColorBlendAttachmentState> attachments(formats.size(), all);
  VkPipelineColorBlendStateCreateInfo blend{VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO};
  blend.attachmentCount = attachments.size();
  blend.pAttachments = attachments.data();
  VkPipelineRenderingCreateInfo rendering{VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO};
  rendering.colorAttachmentCount = formats.size();
  rendering.pColorAttachmentFormats = formats.data();
  if (!job.depth.empty()) rendering.depthAttachmentFormat = named(job.images, job.depth, "image").info.format;
  VkGraphicsPipelineCreateInfo info{VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO};
  info.pNext = &rendering;
  info.stageCount = stages.size();
  info.pStages = stages.data();
  info.pVertexInputState = &vertexInput;
  info.pInputAssemblyState = &assembly;
  info.pViewportState = &viewports;
  info.pRasterizationState = &raster;
  info.pMultisampleState = &multisample;
  info.pDepthStencilState = &depthState;
  info.pColorBlendState = &blend;
  info.layout = made.layout;
  CHECK(vkCreateGraphicsPipelines(device, VK_NULL_HANDLE, 1, &info, nullptr, &made.pipeline));
  return finish(made);
}

static void bindPipeline(VkCommandBuffer commands, Job &job, const Pipeline &made, VkPipelineBindPoint point) {
  vkCmdBindPipeline(commands, point, made.pipeline);
  if (!made.sets.empty()) vkCmdBindDescriptorSets(commands, point, made.layout, 0, made.sets.size(), made.sets.data(), 0, nullptr);
  job.push.resize(128);
  vkCmdPushConstants(commands, made.layout, VK_SHADER_STAGE_ALL, 0, 128, job.push.data());
}

// Submits what a debugger is to see.
static void submitRecorded(const Job &job, const std::function<void(VkCommandBuffer)> &record) {
  if (job.capture.empty()) return submit(record);
  if (!renderDoc.table) fail(3, "this process was not started for recording");
  renderDoc.start(job.capture);
  submit(record);
  if (!renderDoc.end(job.capture)) fail(2, "RenderDoc recorded nothing");
}

static void dispatch(Job &job, uint32_t x, uint32_t y, uint32_t z) {
  Pipeline made = makeComputePipeline(job);
  submitRecorded(job, [&](VkCommandBuffer commands) {
    bindPipeline(commands, job, made, VK_PIPELINE_BIND_POINT_COMPUTE);
    vkCmdDispatch(commands, x, y, z);
  });
}

static VkRenderingAttachmentInfo attachmentOf(const Image &image) {
  VkRenderingAttachmentInfo info{VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO};
  info.imageView = image.view;
  info.imageLayout = VK_IMAGE_LAYOUT_GENERAL;
  info.loadOp = VK_ATTACHMENT_LOAD_OP_LOAD;
  info.storeOp = VK_ATTACHMENT_STORE_OP_STORE;
  return info;
}

static void draw(Job &job, uint32_t vertices, uint32_t instances) {
  if (job.targets.empty()) fail(3, "a draw needs a target");
  VkExtent3D extent = named(job.images, job.targets.begin()->second, "image").info.extent;
  Pipeline made = makeGraphicsPipeline(job, extent);
  vector<VkRenderingAttachmentInfo> colors(job.targets.rbegin()->first + 1, VkRenderingAttachmentInfo{VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO});
  for (auto &[slot, id] : job.targets) colors[slot] = attachmentOf(job.images[id]);
  VkRenderingAttachmentInfo depth{};
  VkRenderingInfo info{VK_STRUCTURE_TYPE_RENDERING_INFO};
  info.renderArea.extent = {extent.width, extent.height};
  info.layerCount = 1;
  info.colorAttachmentCount = colors.size();
  info.pColorAttachments = colors.data();
  if (!job.depth.empty()) {
    depth = attachmentOf(named(job.images, job.depth, "image"));
    info.pDepthAttachment = &depth;
  }
  submitRecorded(job, [&](VkCommandBuffer commands) {
    vkCmdBeginRendering(commands, &info);
    bindPipeline(commands, job, made, VK_PIPELINE_BIND_POINT_GRAPHICS);
    for (size_t i = 0; i < job.attributes.size(); i++) {
      VkDeviceSize zero = 0;
      vkCmdBindVertexBuffers(commands, i, 1, &named(job.buffers, job.attributes[i].id, "buffer").buffer, &zero);
    }
    vkCmdDraw(commands, vertices, instances, 0, 0);
    vkCmdEndRendering(commands);
  });
}
