import { format, plurals } from './console-format.ts'

const rooms = { one: 'room', other: 'rooms' }
const agents = { one: 'agent', other: 'agents' }
const calls = { one: 'call', other: 'calls' }
const tokens = { one: 'token', other: 'tokens' }

/** Agents in one experiment: what they did, pilots, and their turns in a room. */
export const studyAgents = {
  studyAgents: {
    title: 'What agents did',
    data: 'Which rooms',
    withPeople: 'With people',
    pilots: 'Pilots',
    none: 'This study has no agents',
    noneMessage:
      'Agents are declared in the definition, in “agents”: they can have seats of their own, fill seats at the matching deadline, replace drop-outs, or mediate a chat. A pilot plays any study with agents in every seat.',
    noPilots: 'No agent has taken part in a pilot',
    noPilotsMessage: 'Start a pilot below to see how the study goes with agents in every seat.',
    columns: {
      agent: 'Agent',
      turns: 'Turns',
      outcomes: 'Calls by outcome',
      latency: 'p50 / p95',
      tokens: 'Tokens',
      money: 'Spend',
      lastError: 'Last failure',
    },
    scripted: 'scripted',
    noCalls: 'no calls',
    latencies: (p50: string, p95: string) => `${p50} / ${p95}`,
    card: (turns: number, used: number) =>
      `${plurals.count(turns, { one: 'turn', other: 'turns' })} · ${plurals.count(used, tokens)}`,
    cardMoney: (money: string) => `spend ${money}`,
    overTime: 'Over time',
    which: 'Agent',
    export: 'Export agent turns',
    exportHint:
      'Every call with its request, reply, tokens, latency and outcome, one per line. API keys are not in it.',
    exportName: (experimentName: string) => `${experimentName} agent turns`,
    progress: 'Calls received',
    received: (lines: number, bytes: number) =>
      `${format.bytes(bytes)}, ${plurals.count(lines, calls)} received`,
    exported: (lines: number, bytes: number, fileName: string) =>
      `${plurals.count(lines, calls)}, ${format.bytes(bytes)}, in ${fileName}.`,
  },

  pilots: {
    title: 'Pilots',
    intro:
      'A pilot plays the saved definition with agents in every seat, whether or not the study is recruiting. Its data is marked as synthetic and is in no export of people.',
    start: 'Start a pilot',
    none: 'No pilots yet',
    noneMessage:
      'Run one before you recruit: it finds states that nobody can leave, and shows what agents cost.',
    dialogTitle: 'Start a pilot',
    rooms: 'Rooms',
    roomsHint: (max: number) => `Played at the same time as places allow; ${format.number(max)} at most`,
    players: 'Who plays',
    playerChoices: {
      definition: {
        label: 'The agents of the study',
        hint: 'Those that fill seats or replace drop-outs also play the people; without any, scripted ones do. Agents with a model server use it.',
      },
      scripted: {
        label: 'Scripted agents only',
        hint: 'Answers are drawn at random within what each question allows. No model is asked, and nothing is spent.',
      },
      model: {
        label: 'A model in the seats of people',
        hint: 'The agents of the study play as usual.',
      },
    },
    credential: 'Model server',
    noCredentials: 'Add a model server on the Agents page first.',
    chooseCredential: 'Please choose a model server.',
    instructions: 'Instructions',
    instructionsHint: 'Who the model plays',
    defaultInstructions:
      'You are an ordinary person who takes part in a study. Read what is asked, and answer as such a person would.',
    scriptedName: 'Scripted participant',
    modelName: 'Model participant',
    budget: 'Budget for the whole pilot',
    budgetHint: 'Shared equally by all agents. Empty means no limit.',
    turns: 'Calls',
    tokens: 'Tokens',
    money: 'Money',
    wholeNumber: (min: number, max: number) =>
      `A whole number from ${format.number(min)} to ${format.number(max)}.`,
    confirm: 'Start',
    started: (count: number) => `The pilot has started with ${plurals.count(count, rooms)}.`,
    failed: 'The pilot was not started',
    viewOnly: 'Only people with edit access can start a pilot.',
    archived: 'An archived study can no longer be played.',
    unpublished: 'Publish the study first: agents play what is published.',
    stages:
      'A pilot is one room, and people of this study change rooms between stages: agents cannot play it alone yet. Try it plays every stage.',
    pilotOf: (date: string) => `Pilot of ${date}`,
    facts: (revision: number, count: number, perRoom: number) =>
      `Revision ${format.number(revision)} · ${plurals.count(count, rooms)} · ${plurals.count(perRoom, agents)} each`,
    ended: (ended: number, all: number) => `${format.number(ended)} of ${plurals.count(all, rooms)} ended`,
    running: (count: number) => `${format.number(count)} running`,
    waiting: (count: number) => `${format.number(count)} waiting for a place`,
    progressOf: (date: string) => `Progress of the pilot of ${date}`,
    showRooms: 'Show the rooms',
    hideRooms: 'Hide the rooms',
    everyoneFinished: 'everyone finished',
    statuses: { waiting: 'waiting', running: 'running', ended: 'ended' },
    budgetFacts: {
      turns: (value: number) => `budget ${plurals.count(value, calls)}`,
      tokens: (value: number) => `budget ${plurals.count(value, tokens)}`,
      money: (value: number) => `budget ${format.money(value)}`,
    },
  },

  /** Agents in a room, and what they were asked and answered. */
  roomAgents: {
    pilot: 'pilot',
    agent: 'agent',
    named: (name: string) => `agent: ${name}`,
    mediators: 'Mediators',
    mediatorsHint: 'They have no seat: they read chats and speak in them.',
    askNow: 'Ask now',
    askNowName: (alias: string) => `Ask now: ${alias}`,
    asked: (alias: string) => `${alias} is asked as soon as possible.`,
    notAsked: 'The agent was not asked',
    idle: 'nothing to do at the moment',
    due: (cause: string, duration: string) => `next turn in ${duration} (${cause})`,
    dueNow: (cause: string) => `its turn now (${cause})`,
    used: (made: number, usedTokens: number, money: number) =>
      [
        plurals.count(made, calls),
        plurals.count(usedTokens, tokens),
        ...(money > 0 ? [`spend ${format.money(money)}`] : []),
      ].join(' · '),
    turns: 'What agents were asked and answered',
    turnsHint: 'Newest first.',
    noTurns: 'No agent has been asked yet.',
    turnOf: (alias: string, time: string) => `${alias}, ${time}`,
    causes: {
      state: 'on entering the state',
      message: 'after a message',
      continue: 'not done yet',
      lull: 'after a silence',
      demand: 'a researcher asked',
    } as Readonly<Record<string, string>>,
    attempt: (attempt: number) => `attempt ${format.number(attempt)}`,
    usage: (read: number, written: number) => `${format.number(read)} + ${plurals.count(written, tokens)}`,
    said: 'Said',
    did: 'Did',
    thought: 'Thought',
    actions: { answer: 'answered', continue: 'continued', wait: 'waited' } as Readonly<
      Record<string, string>
    >,
    answered: (answers: string) => `answered ${answers}`,
    request: 'What it was asked',
    reply: 'What it answered, as received',
    instructions: 'Instructions',
    perception: 'What it perceived',
    options: 'What it could do',
    rest: 'Settings',
    show: (what: string) => `Show: ${what}`,
    notAskedAtAll: 'Nothing was asked.',
  },
}
