/** What is worth knowing beyond the four checks. None of these makes a server fail. */
export const furtherCheckNames = [
  'named_choice',
  'choice_none',
  'streaming',
  'tool_result',
  'non_ascii',
  'overflow',
] as const
export type FurtherCheckName = (typeof furtherCheckNames)[number]

export interface FurtherCheck {
  name: FurtherCheckName
  /** False is a warning. */
  ok: boolean
  message: string
  figures?: Record<string, number>
}
