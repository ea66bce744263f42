import { plurals } from './console-format.ts'

/** The tab that is about recruiting sites. */
export const recruiting = {
  recruiting: {
    sonaName: 'SONA',
    mturkName: 'Mechanical Turk',
    sona: 'For SONA',
    sonaHint: 'Paste it as the study URL: SONA replaces %SURVEY_CODE%.',
    mturk: 'For Mechanical Turk',
    mturkHint: 'The ExternalURL of an external question. Workers see a preview until they accept the HIT.',
    noSettings: (site: string) =>
      `The definition has no settings for ${site}, so people are not led back there. Add them under “recruiting”.`,
    codes: {
      title: 'Codes at Prolific',
      none: 'No codes yet',
      noneMessage: 'Add recruiting.prolific to the definition, with a code for each outcome.',
      outcome: 'Outcome',
      code: 'Code',
      noCode: 'None: people stay on the last page',
    },
    prolific: {
      title: 'Prolific',
      intro:
        'With an API token, you can create draft studies here, approve submissions and pay bonuses. Everyone who may edit this study can use it.',
      token: 'API token',
      tokenHint:
        'From the settings of your account at Prolific. It is stored encrypted and never shown again.',
      connect: 'Connect',
      connected: (tokenHint: string) =>
        tokenHint === '' ? 'Connected.' : `Connected with the token that ends in ${tokenHint}.`,
      unreadable: 'The token can no longer be decrypted. Disconnect, and enter it again.',
      disconnect: 'Disconnect',
      failed: 'Prolific could not be asked',
    },
    draft: {
      title: 'New draft study',
      name: 'Title',
      description: 'Description',
      places: 'Places',
      minutes: 'Minutes',
      reward: 'Reward, in pence or cents',
      create: 'Create draft',
      created: 'The draft has been created. Publish it at Prolific.',
      failed: 'The draft could not be created',
    },
    studies: {
      title: 'Studies',
      none: 'No studies yet',
      noneMessage: 'Studies that you create here appear in this list.',
      show: 'Show submissions',
      showLabel: (name: string) => `Show submissions: ${name}`,
    },
    submissions: {
      title: (name: string) => `Submissions: ${name}`,
      none: 'No submissions yet',
      noneMessage: 'People who take part appear here.',
      more: 'Prolific has more submissions than are listed here.',
      refresh: 'Refresh',
      submission: 'Submission',
      status: 'Status',
      code: 'Code',
      bonus: 'Bonus',
      actions: 'Actions',
      approve: 'Approve',
      approveLabel: (id: string) => `Approve ${id}`,
      amount: (id: string) => `Bonus for ${id}, in pence or cents`,
      pay: 'Pay',
      payLabel: (id: string) => `Pay a bonus for ${id}`,
      statuses: { begun: 'being paid', done: 'paid', unknown: 'unknown' },
      paid: (amount: string, status: string) => `${amount}, ${status}`,
      unknown: 'Nobody knows whether this was paid. Please look at Prolific.',
      wasPaid: 'It was paid',
      wasNotPaid: 'It was not paid',
      failed: 'This did not work',
      confirmPay: {
        title: 'Pay this bonus?',
        message: (amount: string, people: number) =>
          `${amount} in all, to ${plurals.count(people, { one: 'person', other: 'people' })}, in pence or cents of your account at Prolific.`,
        to: (id: string) => `Submission ${id}`,
        once: 'Prolific pays at once, and a payment cannot be taken back.',
        confirm: (amount: string) => `Pay ${amount}`,
      },
    },
  },
}
