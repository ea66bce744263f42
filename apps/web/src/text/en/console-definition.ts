import { format, plurals } from './console-format.ts'

const rounds = { one: 'round', other: 'rounds' }
const words = (name: string) => name.replaceAll('_', ' ')
const list = (names: readonly string[]) => names.join(', ')

export const definition = {
  definition: {
    label: 'Definition (JSON)',
    format: 'Format',
    discard: 'Discard changes',
    save: 'Save',
    saved: (revision: number, warnings: number) =>
      `Saved as revision ${revision}. People who have already joined stay on theirs.` +
      (warnings > 0
        ? ` The server has ${plurals.count(warnings, { one: 'warning', other: 'warnings' })}.`
        : ''),
    notSaved: 'The definition was not saved',
    conflictTitle: (revision: number) => `Revision ${revision} was saved in the meantime`,
    conflictMessage: (revision: number) =>
      `Your changes are based on revision ${revision}. Saving them overwrites what has been changed since.`,
    isArchived: (revision: number) =>
      `Revision ${revision}. An archived experiment can no longer be changed.`,
    isReadOnly: (revision: number) =>
      `Revision ${revision}. You can view it, but not change it. To change it, make a copy.`,
    isUnsaved: (next: number) =>
      `Unsaved changes. Saving creates revision ${next}; people who have already joined stay on theirs.`,
    isSaved: (revision: number) => `Revision ${revision}, as saved.`,
  },

  findings: {
    none: '✓ No problems found',
    checking: 'Checking …',
    failed: 'The definition could not be checked.',
    again: 'Check again',
    errors: (count: number) =>
      `${plurals.count(count, { one: 'error', other: 'errors' })} to fix before saving`,
    warnings: (count: number) => plurals.count(count, { one: 'warning', other: 'warnings' }),
    more: (count: number) => `and ${format.number(count)} more`,
    levels: { error: 'error', warning: 'warning' },
    place: (line: number, column: number) => `line ${line}, column ${column}`,
  },

  /** A definition in words. */
  outline: {
    title: 'Outline',
    staleTitle: 'Outline (before your last changes)',
    acrossStates: 'Across states',
    flow: (ends: string, leadsTo: string) => `Ends ${ends}; then ${leadsTo}.`,
    inStates: (states: readonly string[]) => `in ${list(states)}`,
    everywhere: 'everywhere',
    required: 'required',
    forRoles: (roles: readonly string[]) => `for ${list(roles)}`,
    savedTo: (variable: string) => `→ ${variable}`,
    plays: (filename: string) => `plays “${filename}”`,
    playsUnknown: (videoId: string) => `video ${videoId} not found`,
    facts: {
      room: 'Room',
      roles: 'Roles',
      conditions: 'Conditions',
      block: (id: string) => `Block ${id}`,
      agent: (id: string) => `Agent ${id}`,
      disclosure: 'Agents are',
      waiting: 'Waiting',
      dropout: 'Drop-out',
      places: 'Places',
    },
    disclosure: { named: 'named to participants', hidden: 'not disclosed to participants' },
    agents: {
      seats: (count: number) => plurals.count(count, { one: 'seat', other: 'seats' }),
      fills: 'fills seats at the deadline',
      replaces: 'replaces drop-outs',
      role: (role: string) => `as ${role}`,
      scripted: 'scripted',
      model: (credentialId: string) => `by model server ${credentialId}`,
      mediates: (chats: readonly string[], when: string) => `mediates ${list(chats)} ${when}`,
      speaks: {
        lull: (ms: number) => `after a silence of ${format.duration(ms)}`,
        every: (messages: number) =>
          `after every ${messages === 1 ? 'message' : `${format.number(messages)} messages`}`,
        keyword: (words: readonly string[]) => `after ${words.map((word) => `“${word}”`).join(' or ')}`,
        demand: 'when a researcher asks',
      },
    },
    onePersonEach: 'one person each',
    people: (count: number) => plurals.count(count, { one: 'person', other: 'people' }),
    peopleBetween: (min: number, max: number) => `${min} to ${max} people`,
    list,
    conditions: (values: readonly string[], assign: string) => `${list(values)} (${assign})`,
    block: (states: readonly string[], count: number, order: string) =>
      `${list(states)}; ${plurals.count(count, rounds)}, ${words(order)} order`,
    waitingAtMost: (ms: number, then: string) => `${format.duration(ms)} at most, then ${words(then)}`,
    policy: words,
    unlimited: 'unlimited',
    ends: {
      button: (label: string | undefined) => (label ? `by button “${label}”` : 'by button'),
      timed: (ms: number) => `after ${format.duration(ms)}`,
      allResponded: 'when everyone has answered',
      anyResponded: 'when someone has answered',
      mediaEnded: (componentId: string) => `when ${componentId} has ended`,
      condition: (expression: string) => `when ${expression}`,
      atTheLatest: (end: string, ms: number) => `${end}, after ${format.duration(ms)} at the latest`,
    },
    theEnd: 'the end',
    theEndWith: (outcome: string) => `the end with ${outcome}`,
    targetIf: (target: string, expression: string) => `${target} if ${expression}`,
    otherwise: (target: string) => `otherwise ${target}`,
    onTimeout: (target: string) => `${target} when time runs out`,
  },
}
