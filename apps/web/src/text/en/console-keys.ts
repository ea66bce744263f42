import type { KeyAccess } from '@atrium/contract'
import { format, plurals } from './console-format.ts'

const quoted = (name: string) => `“${name}”`
const accessNames: Record<KeyAccess, string> = { read: 'Read', write: 'Read and write' }

/** The page of API keys: credentials of the researcher’s own scripts. */
export const keys = {
  keys: {
    title: 'API keys',
    intro:
      'With a key, a script of yours can download data or make changes in your name. It can do no more than you can, and loses access whenever you do.',
    create: 'Create a key',
    list: 'API keys',
    count: (count: number) => plurals.count(count, { one: 'key', other: 'keys' }),
    onlyNewest: (max: number) => `(the newest ${format.number(max)}; older ones are not listed)`,
    empty: {
      title: 'No API keys yet',
      message: 'Create one for a script that downloads your data, or that creates and revises studies.',
    },
    access: 'Access',
    accessNames,
    experiments: 'Studies',
    allExperiments: 'All that you can see',
    /** One that is no longer visible to the person. */
    unknownExperiment: (experimentId: string) => `${experimentId} (no longer visible)`,
    created: 'Created',
    lastUsed: 'Last used',
    never: 'Never',
    expires: 'Expires',
    id: 'Key ID',
    expired: 'Expired',
    ownedBy: (subject: string) => `Of ${subject}`,
    revoke: 'Revoke',
    revokeName: (name: string) => `Revoke ${name}`,
  },

  keyForm: {
    title: 'Create an API key',
    submit: 'Create',
    name: 'Name',
    nameHint: 'What the key is for, so that you recognise it later',
    access: 'Access',
    accessHints: {
      read: 'Reads studies, rooms and exports, and changes nothing',
      write: 'Also creates and changes studies, and controls rooms',
    },
    accessNames,
    scope: 'Studies',
    scopes: {
      all: { label: 'All that I can see', hint: 'Including those that I create later' },
      some: { label: 'Only these', hint: 'The key cannot see any others, or create new ones' },
    },
    chosen: 'The studies that the key can use',
    expires: 'Expires',
    lifetimes: { '30': 'In 30 days', '90': 'In 90 days', '365': 'In a year', never: 'Never' },
    problems: {
      name: 'Please enter a name.',
      experiments: 'Please choose at least one study.',
      tooMany: (max: number) => `Please choose at most ${format.number(max)} studies.`,
    },
    noExperiments: 'You have no studies yet.',
    failed: 'The key has not been created',
  },

  newKey: {
    title: 'Your new API key',
    once: 'Copy it now and store it like a password. It cannot be shown again.',
    key: 'API key',
    example: 'Example',
    exampleHint: 'With the key in the environment variable ATRIUM_KEY:',
    copy: 'Copy',
    copied: 'Copied',
    copyKey: 'Copy the API key',
    copyExample: 'Copy the example',
    done: 'I have stored it',
  },

  keyRevoke: {
    title: 'Revoke this API key?',
    lost: (name: string) =>
      `Scripts that use ${quoted(name)} are refused from now on. This cannot be undone.`,
    done: (name: string) => `${quoted(name)} has been revoked.`,
    failed: 'The key has not been revoked',
  },
}
