// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Turns of sub-groups that are vectors. Lanes of a vector are at one place, so they take their turns together: those
/// whose turn it is leave what only some lanes do, and all of them meet where the whole sub-group comes by. After the
/// turn, the lanes that left go on in their loops, and the others wait for them.
///
///     br i1 %first, label %loop, label %all                br i1 %first, label %loop, label %all
///   loop:                                                loop:
///     ...                                                  ...
///     br i1 %turn.due, label %turn, label %go              br i1 %turn.due, label %all, label %go
///   turn:                                          =>    all:
///     call void @lanewise.turn()                           %at = phi i32 [ 1, %loop ], [ 0, ... ]
///     br label %go                                         %any = (ballot of %at != 0) != 0
///   all:                                                   br i1 %any, label %turn, label %rest
///     ...                                                turn:
///                                                          call void @lanewise.turn()
///                                                          switch i32 %at, label %all [ i32 1, label %go ]
///
/// So lanes may also wait for each other: those that have what they waited for go on to where all meet.
#pragma once

#include "compiler/groups/work_item_function.h"

namespace lanewise {

/// Moves the turns of a function with sub-groups of more than one work-item. Turns for which there is no such place
/// are dropped: their loops are as they were, and wait for sub-groups with lower numbers only. Returns whether there
/// are turns and none was dropped.
bool gather_turns(WorkItemFunction& item);

}  // namespace lanewise
