// SPDX-License-Identifier: Apache-2.0
// OpenXR with the parts that depend on the operating system or on newer headers than Debian 12's 1.0.20.
#pragma once

#ifdef _WIN32
#include <unknwn.h>
#include <windows.h>
#define XR_USE_PLATFORM_WIN32
#else
#include <ctime>
#define XR_USE_TIMESPEC
#endif

#include <openxr/openxr.h>
#include <openxr/openxr_platform.h>

#ifdef _WIN32
#define GLOVE_CONVERT_TIME_EXTENSION XR_KHR_WIN32_CONVERT_PERFORMANCE_COUNTER_TIME_EXTENSION_NAME
#define GLOVE_CONVERT_TIME_FUNCTION xrConvertTimeToWin32PerformanceCounterKHR
#else
#define GLOVE_CONVERT_TIME_EXTENSION XR_KHR_CONVERT_TIMESPEC_TIME_EXTENSION_NAME
#define GLOVE_CONVERT_TIME_FUNCTION xrConvertTimeToTimespecTimeKHR
#endif

// Functions that take a hand tracker, of extensions newer than the oldest headers. They are only passed on, so their
// structs stay opaque.
#ifndef XR_MNDX_force_feedback_curl
struct XrForceFeedbackCurlApplyLocationsMNDX;
using PFN_xrApplyForceFeedbackCurlMNDX = XrResult(XRAPI_PTR*)(XrHandTrackerEXT handTracker,
                                                              const XrForceFeedbackCurlApplyLocationsMNDX* locations);
#endif
#ifndef XR_QCOM_hand_tracking_gesture
struct XrHandGestureQCOM;
using PFN_xrGetHandGestureQCOM = XrResult(XRAPI_PTR*)(XrHandTrackerEXT handTracker, XrTime time,
                                                      XrHandGestureQCOM* handGesture);
#endif
