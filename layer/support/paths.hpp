// SPDX-License-Identifier: Apache-2.0
// Where the user's files are. Empty when the system names no place. In a set-uid program the environment is not asked.
#pragma once

#include <filesystem>

namespace glove::paths {

// $GLOVE_HANDS_CONFIG, else $XDG_CONFIG_HOME/glove_hands/glove_hands.toml, else ~/.config/…;
// Windows %LOCALAPPDATA%\glove_hands\glove_hands.toml.
[[nodiscard]] std::filesystem::path config_file();

// calibration.toml beside config_file().
[[nodiscard]] std::filesystem::path calibration_file();

// $GLOVE_HANDS_LOG, else $XDG_STATE_HOME/glove_hands/glove_hands.log, else ~/.local/state/…;
// Windows %LOCALAPPDATA%\glove_hands\glove_hands.log.
[[nodiscard]] std::filesystem::path log_file();

}  // namespace glove::paths
