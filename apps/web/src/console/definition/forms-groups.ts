import { groupSizeOf, type WrittenDefinition } from '@atrium/contract'

/** Whether people meet anywhere in the study. */
export const formsGroups = (written: Pick<WrittenDefinition, 'stages' | 'matching'>): boolean =>
  (written.stages ?? [written]).some((part) => groupSizeOf(part).max > 1)
