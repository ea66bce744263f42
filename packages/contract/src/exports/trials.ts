import { Type } from 'typebox'
import { inUnit } from '../components/annotations.ts'
import { ExportedEvent } from '../event.ts'
import { Count, IsoTime } from '../text.ts'
import { Nullable, times, who } from './common-columns.ts'

const { seq, round, visit, origin, roomSeq, synthetic } = ExportedEvent.properties

const position = (description: string) => Nullable(Type.Integer({ minimum: 1, description }))
const text = (description: string) => Nullable(Type.String({ description }))
const flag = (description: string) => Nullable(Type.Boolean({ description }))
const ms = (description: string) => Nullable(inUnit('ms', Type.Number({ description })))

/** What has trials: the rows of a table that a block plays, and components that run them in the browser. */
const trialSources = ['block', 'reaction_time', 'jspsych'] as const

/**
 * R66: a row for each trial of a person. Columns for the table’s columns, the answers, and the `data` of jsPsych trials follow,
 * as the study has them.
 */
export const ExportedTrial = Type.Object(
  {
    ...who,
    seq,
    source: Type.Enum(trialSources, {
      description:
        '`block`: a row of a table that a block played; `reaction_time`, `jspsych`: a trial within an answer to a component of this type',
    }),
    blockId: text('The block whose row was played; null outside blocks with trials'),
    round,
    trialIndex: position('Position of the block’s trial in its round, counted from 1'),
    rowNumber: position('Position in the table of the row that was played, counted from 1'),
    occurrence: position(
      'How often the participant had begun this trial in this round, this time included; null for trials of components',
    ),
    stateId: text('The state that asked; for trials of a block, the state that the trial began with'),
    visit,
    componentId: text('The component that ran the trial; null for trials of a block'),
    componentTrial: position('Position among the trials of the component in the order shown, counted from 1'),
    definedTrial: position(
      'Position of the trial in the settings of `reaction_time`, counted from 1; null for others',
    ),
    startedAt: Nullable(
      IsoTime(
        'On the server’s clock: when the trial of a block began; null for trials of components, and if the participant came during it',
      ),
    ),
    endedAt: Nullable(
      IsoTime('When it ended, on the same clock; null for trials of components, and if it never ended'),
    ),
    durationMs: ms('Time between the two'),
    plugin: text('The plugin of a jsPsych trial'),
    stimulus: text(
      'What the component showed, as it is in the settings or as the plugin recorded it: a text or the address of a picture. Null where the settings take it from a value, such as a cell of the row',
    ),
    response: text(
      'What it recorded as the response: a key, a number or a text. Answers by name are in columns of their own',
    ),
    rtMs: ms('Response time, as measured by the component; null without a response'),
    correct: flag('Whether the response was correct; null where nothing says what is'),
    timedOut: flag('Whether the time for a `reaction_time` trial was up'),
    onsetMs: ms('Time stamp of the frame that showed the stimulus, since the page was opened'),
    frameMs: ms('Time to the next frame, within which the stimulus became visible'),
    input: text('What the reaction was given with: `keyboard`, `touch`, `mouse` or `pen`'),
    hidden: flag('Whether the page was not visible at some time during the trial'),
    timeElapsedMs: ms(
      'Of a jsPsych trial: from the start of the timeline, or its continuation, to the end of the trial',
    ),
    run: Nullable(Count('Of a jsPsych trial: 0; one more after each reload of the page')),
    ...times,
    origin,
    roomSeq,
    synthetic,
  },
  { additionalProperties: Type.Unknown() },
)
