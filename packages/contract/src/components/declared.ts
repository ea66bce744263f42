import { attentionCheck } from './attention-check.ts'
import { bestWorst } from './best-worst.ts'
import { date } from './calendar.ts'
import { multipleChoice } from './choice.ts'
import { instructions } from './comprehension.ts'
import { consent } from './consent.ts'
import { constantSum } from './constant-sum.ts'
import { chat } from './conversation.ts'
import { customHtml } from './custom.ts'
import { countdown, image, payoff, progress, text, timer } from './display.ts'
import { dropdown } from './dropdown.ts'
import { audioAnswer, fileUpload } from './files.ts'
import { hotSpot } from './hot-spot.ts'
import { jspsych } from './jspsych/jspsych.ts'
import { audio, video } from './media.ts'
import { continuousRating, sparseRating } from './ratings.ts'
import { reactionTime } from './reaction.ts'
import { likert, slider } from './scales.ts'
import { semanticDifferential } from './semantic-differential.ts'
import { matrix, ranking } from './survey.ts'
import { textInput } from './text-input.ts'
import { textRows } from './text-rows.ts'

/** All component types, in the order of the reference. CONTRIBUTING.md explains how to add one. */
export const declared = [
  text,
  image,
  video,
  audio,
  multipleChoice,
  dropdown,
  textInput,
  textRows,
  date,
  slider,
  likert,
  ranking,
  bestWorst,
  matrix,
  semanticDifferential,
  constantSum,
  hotSpot,
  attentionCheck,
  reactionTime,
  jspsych,
  fileUpload,
  audioAnswer,
  continuousRating,
  sparseRating,
  chat,
  instructions,
  consent,
  countdown,
  payoff,
  customHtml,
  timer,
  progress,
] as const
