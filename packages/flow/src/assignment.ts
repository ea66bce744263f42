/** The row of each Latin square, by block. */
export type Rows = Readonly<Record<string, number>>

/** What was assigned when a room began. It is in the log, so that later versions play the room again as it was. */
export interface Assignment {
  /** That of the room; null where each person has one of their own. */
  condition: string | null
  /** Where each person has one of their own: in the order of their seats. Agents share these. */
  conditions?: readonly string[]
  /** F68: every condition was full. */
  isFull?: true
  /** One entry for all, or one for each person in the order of their seats. Agents at their own pace share these. */
  rows: readonly Rows[]
}
