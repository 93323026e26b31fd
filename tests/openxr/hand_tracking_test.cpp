// SPDX-License-Identifier: Apache-2.0
#include "openxr/loader_fixture.hpp"
