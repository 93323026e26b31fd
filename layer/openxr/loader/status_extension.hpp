// SPDX-License-Identifier: Apache-2.0
// XR_NOVENDOR_glove_hands_status, revision 1: lets a program ask this layer where a hand's data come from.
// OpenXR itself says only whether a hand is active; a program that helps a person to set up gloves needs to say more.
// An instance extension of this layer alone: enable it when it is listed, then fetch the function by name.
#pragma once

#include <openxr/openxr.h>

#include <cstdint>

#define XR_NOVENDOR_GLOVE_HANDS_STATUS_EXTENSION_NAME "XR_NOVENDOR_glove_hands_status"

// Not chained anywhere, so it needs no XrStructureType; `size` tells the caller's revision of this struct.
struct XrGloveHandStatusNOVENDOR {
    std::uint32_t size;       // in: sizeof(XrGloveHandStatusNOVENDOR)
    char source[32];          // what sends this hand: "none", "fsnh", …
    std::uint64_t datagrams;  // received for this hand, those refused as late or doubled included
    std::uint64_t samples;    // of these, new hand poses
    std::int64_t age_ns;      // since the last datagram that said the hand is there; -1: none yet
    XrBool32 tracked;         // fresh enough to be reported as tracked
    std::uint32_t port;       // UDP port we receive on; 0: none (taken, or no hand tracker yet)
};

// XR_ERROR_HANDLE_INVALID, XR_ERROR_VALIDATION_FAILURE (null, wrong size, neither left nor right), or XR_SUCCESS.
using PFN_xrGetGloveHandStatusNOVENDOR = XrResult(XRAPI_PTR*)(XrInstance instance, XrHandEXT hand,
                                                              XrGloveHandStatusNOVENDOR* status);
