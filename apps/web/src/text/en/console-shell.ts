import { format, plurals } from './console-format.ts'

const reload = 'Reload the page'

/** What surrounds the pages of the console: sign-in, navigation, and the texts that all pages share. */
export const shell = {
  shell: {
    product: 'Atrium',
    pageTitle: (title: string) => `${title} · Atrium console`,
    skip: 'Skip to the page',
    openMenu: 'Open the menu',
    closeMenu: 'Close the menu',
    navigation: 'Console',
    experiments: 'Studies',
    newExperiment: 'New study',
    media: 'Media',
    agents: 'Agents',
    keys: 'API keys',
    audit: 'Audit log',
    system: 'System',
    apiReference: 'API reference',
    useDark: 'Switch to dark colours',
    useLight: 'Switch to light colours',
    accountOf: (name: string) => `Account of ${name}`,
    signedIn: 'Signed in',
    signedInAs: { admin: 'Signed in as administrator', researcher: 'Signed in as researcher' },
    signOut: 'Sign out',
    signOutAtProvider: 'Sign out at your identity provider',
  },

  signIn: {
    title: 'Atrium console',
    development: 'This server runs in development mode. There are no passwords: you can sign in as anyone.',
    name: 'Name',
    nameHint: 'Recorded with everything you do',
    nameMissing: 'Please enter a name.',
    role: 'Sign in as',
    roles: { researcher: 'Researcher', admin: 'Administrator' },
    submit: 'Sign in',
    loadingSettings: 'Loading the sign-in settings …',
    signingIn: 'Signing you in …',
  },

  noResearcher: {
    title: 'This account is not a researcher',
    message: (name: string) =>
      `You are signed in as ${name}, but only researchers and administrators can use the console. Ask the people who run this server to give your account the role “researcher”, then reload this page.`,
    signInAsOther: 'Sign in as someone else',
    reload,
  },

  feedback: {
    loading: 'Loading',
    notLoaded: 'This could not be loaded',
    outdated: 'This may be out of date',
    unexpected: 'Something unexpected happened.',
    tryAgain: 'Try again',
    loadMore: 'Load more',
    cancel: 'Cancel',
    close: 'Close',
    dismiss: 'Dismiss',
    /** Shown in place of a missing value. */
    none: '–',
  },

  /** The studies that use something. */
  uses: {
    usedIn: 'Used in',
    unused: 'Not used in any study that you can see.',
    more: (count: number) => `and ${format.number(count)} more`,
  },

  brokenPage: {
    title: 'This page has stopped working',
    message: 'A new version may have been installed in the meantime. Everything you saved is safe.',
    reload,
  },

  noPage: {
    title: 'Page not found',
    message: 'The address may be mistyped, or come from an older version of the console.',
    toExperiments: 'Back to the studies',
  },

  notFound: {
    title: { experiment: 'Study not found', room: 'Room not found' },
    message: 'The address may be mistyped, or the study belongs to someone who has not shared it with you.',
    toExperiments: 'Back to your studies',
  },

  leaveGuard: {
    title: 'Leave without saving?',
    message: 'You have unsaved changes to the definition. If you leave this page, they are lost.',
    leave: 'Discard changes and leave',
    stay: 'Stay',
  },

  system: {
    title: 'System',
    intro: (seconds: number) =>
      `The instances that this platform runs on. Refreshes every ${plurals.count(seconds, { one: 'second', other: 'seconds' })}.`,
    instances: 'Instances',
    healthyOf: (healthy: number, total: number) => `${format.number(healthy)} of ${format.number(total)}`,
    allHealthy: 'all healthy',
    late: (count: number) =>
      plurals.count(count, { one: 'instance is late to report', other: 'instances are late to report' }),
    openRooms: 'Open rooms',
    onAllInstances: 'on all instances',
    participants: 'Participants',
    inTheseRooms: 'in these rooms',
    api: 'Everything that the console does is open to your own programs as well:',
  },
}
