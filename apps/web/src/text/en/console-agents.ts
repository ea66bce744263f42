import type { AgentOutcome, ModelCheckName } from '@atrium/contract'
import { format, plurals } from './console-format.ts'

const calls = { one: 'call', other: 'calls' }
const credentials = { one: 'model server', other: 'model servers' }
const quoted = (name: string) => `“${name}”`
const tokens = { one: 'token', other: 'tokens' }

interface CallSummary {
  range: string
  calls: number
  failures: number
  latencyMs: { p50: number; p95: number } | null
  tokens: number
  money: number
}

/** The Agents page: credentials of model servers, their tests, and what calls cost. */
export const agents = {
  agents: {
    title: 'Agents',
    intro:
      'Language models that take part in your studies run on servers of your choice. Add a server here, test it, and name it in the agents of a study.',
    add: 'Add a model server',
    list: 'Model servers',
    count: (count: number) => plurals.count(count, credentials),
    onlyNewest: (max: number) => `(the newest ${format.number(max)}; older ones are not listed)`,
    empty: {
      title: 'No model servers yet',
      message:
        'Add any server with an API like OpenAI’s: a provider’s, your laboratory’s, or your own computer’s with the agent tool. Studies whose agents play a script need none.',
    },
    someoneElses: 'Someone else’s',
    model: 'Model',
    server: 'Server',
    key: 'API key',
    keyHint: (lastCharacters: string) => (lastCharacters === '' ? 'stored' : `ends in ${lastCharacters}`),
    timeout: 'Time-out',
    id: 'Credential ID',
    copyId: (name: string) => `Copy the credential ID of ${name}`,
    copied: 'Copied',
    copy: 'Copy',
    unreadableTitle: 'The API key has to be entered again',
    unreadable:
      'It was encrypted with a key that the server no longer has. Until then, agents that use it cannot answer.',
    change: 'Change',
    changeName: (name: string) => `Change ${name}`,
    delete: 'Delete',
    deleteName: (name: string) => `Delete ${name}`,
    showFigures: 'Show calls, latency and cost',
    hideFigures: 'Hide calls, latency and cost',
  },

  credentialForm: {
    addTitle: 'Add a model server',
    changeTitle: (name: string) => `Change ${quoted(name)}`,
    name: 'Name',
    nameHint: 'What you call it. Only you and the administrators see it.',
    baseUrl: 'Base URL',
    baseUrlHint: 'Ends in /v1, for example https://models.example.org/v1',
    apiKey: 'API key',
    apiKeyHint: 'Stored encrypted, and never shown again.',
    keepKey: (hint: string) =>
      hint === ''
        ? 'Leave it empty to keep the present key.'
        : `Leave it empty to keep the present key, which ends in ${hint}.`,
    keyForOtherServer: 'This is another server, so its key has to be entered.',
    model: 'Model',
    modelHint: 'As the server names it',
    timeout: 'Time-out, in seconds',
    timeoutHint: 'How long an agent waits for a reply before its fallback applies',
    add: 'Add',
    save: 'Save',
    added: (name: string) => `${quoted(name)} has been added. Test it before you use it.`,
    changed: (name: string) => `${quoted(name)} has been changed.`,
    failed: 'The model server was not saved',
    problems: {
      name: 'Please enter a name.',
      baseUrl: 'Please enter the base URL.',
      apiKey: 'Please enter the API key.',
      model: 'Please enter the name of the model.',
      timeout: (min: number, max: number) => `A number of seconds from ${min} to ${max}.`,
    },
  },

  credentialDelete: {
    title: 'Delete this model server?',
    lost: (name: string) => `${quoted(name)} will be deleted, with its API key. This cannot be undone.`,
    stillNamed:
      'These studies name it. They cannot recruit again until their agents use another model server:',
    done: (name: string) => `${quoted(name)} has been deleted.`,
    failed: 'The model server was not deleted',
    usedBy: 'Used by',
    usedByOthers: (count: number) =>
      plurals.count(count, {
        one: 'more study, which you cannot see',
        other: 'more studies, which you cannot see',
      }),
  },

  credentialTest: {
    start: 'Test',
    startName: (name: string) => `Test ${name}`,
    stop: 'Stop the test',
    running: 'Testing …',
    runningHint:
      'About fifty requests are sent to the server. This takes seconds with a fast model, and minutes with a slow one.',
    elapsed: (duration: string) => `for ${duration}`,
    progressOf: (name: string) => `Test of ${name}`,
    checks: (name: string) => `Checks of ${name}`,
    failed: 'The test could not be made',
    never: 'Not tested yet',
    passed: (ago: string) => `Passed ${ago}`,
    failedAgo: (ago: string) => `Failed ${ago}`,
    warnings: (count: number) => plurals.count(count, { one: 'warning', other: 'warnings' }),
    show: 'Show the checks',
    hide: 'Hide the checks',
    names: {
      reachable: 'Reachable',
      auth: 'Asks for the key',
      tool_calling: 'Calls the tool',
      concurrency: 'Works in parallel',
    } satisfies Record<ModelCheckName, string>,
    states: {
      passed: 'passed',
      failed: 'failed',
      warning: 'passed, with a warning',
      running: 'to be checked',
      notMade: 'not checked',
    },
    notMade: 'Not checked, because an earlier check failed.',
    warning: (message: string) => `Warning: ${message}`,
    /** By the name of the figure; others are shown as they are. */
    figures: {
      models: (value: number) => plurals.count(value, { one: 'model', other: 'models' }),
      requests: (value: number) => plurals.count(value, { one: 'request', other: 'requests' }),
      parallel: (value: number) => `${format.number(value)} at the same time`,
      p50Ms: (value: number) => `p50 ${format.latency(value)}`,
      p95Ms: (value: number) => `p95 ${format.latency(value)}`,
      overlap: (value: number) => `overlap ${format.number(value)}`,
      tokensPerSecond: (value: number) => `${format.number(value)} tokens/s`,
    } as Readonly<Record<string, (value: number) => string>>,
    otherFigure: (name: string, value: number) => `${name} ${format.number(value)}`,
  },

  /** What was asked of models, over time. */
  calls: {
    range: 'Time range',
    ranges: [
      { minutes: 60, label: '1 h', words: 'hour' },
      { minutes: 1_440, label: '24 h', words: '24 hours' },
      { minutes: 10_080, label: '7 d', words: '7 days' },
      { minutes: 43_200, label: '30 d', words: '30 days' },
    ],
    calls: 'Calls',
    turnsNote: (turns: number) => plurals.count(turns, { one: 'turn taken', other: 'turns taken' }),
    failures: 'Failures',
    failuresNote: (share: string) => `${share} of the calls`,
    noFailures: 'every call was answered',
    succeeded: 'Answered',
    latency: 'Latency',
    p50: 'p50',
    p95: 'p95',
    p95Note: (latency: string) => `p95 ${latency}`,
    tokens: 'Tokens',
    tokensNote: (read: string, written: string) => `${read} read, ${written} written`,
    read: 'Read',
    written: 'Written',
    money: 'Spend',
    moneyNote: 'in the currency of the agents’ price',
    noPrice: 'no price is set in the agents',
    lastError: (ago: string) => `Last failure, ${ago}:`,
    isPartial: 'There were very many calls: only the newest are counted.',
    from: 'From',
    showTable: 'Show as a table',
    hideTable: 'Hide the table',
    table: 'Calls over time',
    emptyTable: 'There is nothing to list.',
    nothing: (range: string) => `No model was asked in the last ${range}.`,
    summary: ({ range, calls: made, failures, latencyMs, tokens: used, money }: CallSummary) =>
      `${[
        `In the last ${range}: ${plurals.count(made, calls)}, ${format.number(failures)} of them failed`,
        ...(latencyMs
          ? [`half took ${format.latency(latencyMs.p50)} at most, 95% ${format.latency(latencyMs.p95)}`]
          : []),
        plurals.count(used, tokens),
        ...(money > 0 ? [`spend ${format.money(money)}`] : []),
      ].join('; ')}.`,
    outcomes: {
      applied: 'applied',
      retried: 'asked again',
      fallback: 'fallback',
      timeout: 'time-out',
      refused: 'too late',
      budget: 'budget spent',
    } satisfies Record<AgentOutcome, string>,
    outcomeMeanings: {
      applied: 'The reply was applied in the room.',
      retried: 'The reply was not valid, so the model was asked again.',
      fallback: 'There was no valid reply, so the fallback applied.',
      timeout: 'No reply came in time, so the fallback applied.',
      refused: 'The room had moved on before the reply came.',
      budget: 'The model was not asked, because the budget was spent.',
    } satisfies Record<AgentOutcome, string>,
    outcomeCount: (outcome: string, count: number) => `${outcome}: ${format.number(count)}`,
  },
}
