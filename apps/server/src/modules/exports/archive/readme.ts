import type { About, ExportTable } from '@atrium/contract'
import type { ManifestFacts } from './manifest.ts'

const contents: Record<Exclude<ExportTable, 'codebook'>, string> = {
  events: 'everything that is stored, one row for each event',
  participants: 'one row for each participant, with answers, variables and payoffs in columns',
  responses: 'one row for each answer',
  trials:
    'one row for each trial of a person, with the row of the table that was played and the answers in columns',
  messages: 'one row for each chat message',
  states: 'one row for each state that a participant entered',
  payments: 'one row for each person, with what they earned',
  assignments: 'one row for each person, with the condition and the orders that they were assigned',
  playback: 'one row for each report on how far a video in step was from where it should have been',
  devices: 'one row for each report of a page on the device that it runs on, where the study collects it',
  edges: 'one row for each two members of a room who were neighbours in its network, from when to when',
  agent_turns: 'one row for each call of a language model',
}

export function readmeOf(
  { experimentId, name, description, about, version, now, revisions, answerKeys }: ManifestFacts,
  tables: readonly ExportTable[],
  pathOf: (experimentId: string, table: ExportTable) => string,
): string {
  const lines = tables.flatMap((table) =>
    table === 'codebook' ? [] : [`- \`${pathOf(experimentId, table)}\`: ${contents[table]}`],
  )
  return `# ${name}

${description ? `${description}\n\n` : ''}${aboutLines(about ?? {})}Exported with Atrium ${version} at ${new Date(now).toISOString()}. Experiment \`${experimentId}\`, revisions: ${revisions.join(', ') || 'none yet'}.

The files follow Psych-DS (https://psych-ds.github.io/).

${lines.join('\n')}
- \`materials/revision-<number>.json\`: the study as it was published, for each revision that somebody joined${
    answerKeys ? '' : ', without what counts as a correct answer'
  }
- \`materials/revision-<number>.<language>.md\`: the consent and everything else that people could read, in each language
- \`materials/revision-<number>.prompts.md\`: the instructions that language models were given, where any took part
- \`analysis/analysis.R\` and \`analysis/analysis.py\`: load every table with the types of its columns, and make the plots of the console
- \`data/files/\`: the files that participants uploaded or recorded, in a folder for each participant; the answers name them by \`fileId\`
- \`documentation/codebook.csv\`: what every column means, with the texts of the experiment
- \`documentation/manifest.json\`: number of rows and SHA-256 of each file, and the SHA-256 of each revision as published

CSV files are UTF-8 with commas, a header and text in quotes. An empty cell is null; \`""\` is an empty text. Columns of type
\`json\` hold JSON. In columns of type \`text\`, a text that a spreadsheet might execute has an apostrophe in front: drop the first
character if it is one.

People are named by pseudonyms. Nothing here says who they are, unless they wrote it themselves.
`
}

function aboutLines({ authors = [], licence, citation, funding, contact }: About): string {
  const names = authors.map(({ name, affiliation, orcid }) =>
    [name, affiliation, orcid && `https://orcid.org/${orcid}`].filter(Boolean).join(', '),
  )
  const parts: [title: string, text: string | undefined][] = [
    ['Authors', names.join('; ')],
    ['Licence', licence],
    ['Citation', citation],
    ['Funding', funding],
    ['Contact', contact],
  ]
  const given = parts.filter(([, text]) => text !== undefined && text.trim() !== '')
  return given.map(([title, text]) => `**${title}**: ${text}\n\n`).join('')
}
