import type { ComponentTypeName } from '@atrium/contract/components'
import { texts } from '../../text/participant.ts'
import { CountdownView, TimerView } from './display/clocks.tsx'
import { ImageView } from './display/image.tsx'
import { PayoffView, ProgressView, TextView } from './display/plain-views.tsx'
import { Consent } from './gates/consent-view.tsx'
import { InstructionsView } from './gates/instructions.tsx'
import { lazyView } from './lazy-view.tsx'
import { LikertView } from './questions/likert.tsx'
import { MultipleChoiceView } from './questions/multiple-choice.tsx'
import { SliderView } from './questions/slider.tsx'
import { TextInputView } from './questions/text-input.tsx'
import { withSettings } from './settings/with-settings.tsx'
import type { View } from './view.ts'

/** One view for each type of the contract’s catalogue: a missing one does not compile. */
const viewsByType: Readonly<Record<ComponentTypeName, View>> = {
  text: TextView,
  image: ImageView,
  video: lazyView('video', 20, async () => (await import('./media/media-views.tsx')).Video),
  audio: lazyView('audio', 6, async () => (await import('./media/media-views.tsx')).Audio),
  multiple_choice: MultipleChoiceView,
  dropdown: lazyView('dropdown', 7, async () => (await import('./questions/dropdown.tsx')).Dropdown),
  text_input: TextInputView,
  text_rows: lazyView('text_rows', 16, async () => (await import('./survey/text-rows.tsx')).TextRows),
  date: lazyView(
    'date',
    7,
    async () => (await import('./questions/date.tsx')).DateQuestion,
    () => texts().tasks.date.howToFix,
  ),
  slider: SliderView,
  likert: LikertView,
  ranking: lazyView('ranking', 16, async () => (await import('./questions/ranking.tsx')).Ranking),
  best_worst: lazyView('best_worst', 18, async () => (await import('./survey/best-worst.tsx')).BestWorst),
  matrix: lazyView(
    'matrix',
    16,
    async () => (await import('./questions/matrix.tsx')).Matrix,
    () => texts().problems.everyRow,
  ),
  semantic_differential: lazyView(
    'semantic_differential',
    14,
    async () => (await import('./survey/semantic-differential.tsx')).SemanticDifferential,
  ),
  constant_sum: lazyView(
    'constant_sum',
    18,
    async () => (await import('./survey/constant-sum.tsx')).ConstantSum,
  ),
  hot_spot: lazyView('hot_spot', 24, async () => (await import('./survey/hot-spot.tsx')).HotSpot),
  attention_check: lazyView(
    'attention_check',
    14,
    async () => (await import('./survey/attention-check.tsx')).AttentionCheck,
  ),
  reaction_time: lazyView(
    'reaction_time',
    23,
    async () => (await import('./reaction/reaction-time.tsx')).ReactionTime,
  ),
  jspsych: lazyView('jspsych', 32, async () => (await import('./jspsych/jspsych.tsx')).Jspsych),
  file_upload: lazyView('file_upload', 9, async () => (await import('./files/file-upload.tsx')).FileUpload),
  audio_answer: lazyView(
    'audio_answer',
    9,
    async () => (await import('./files/audio-answer.tsx')).AudioAnswer,
  ),
  continuous_rating: lazyView(
    'continuous_rating',
    10,
    async () => (await import('./media/continuous-rating.tsx')).ContinuousRating,
  ),
  sparse_rating: lazyView(
    'sparse_rating',
    10,
    async () => (await import('./media/sparse-rating.tsx')).SparseRating,
  ),
  chat: lazyView('chat', 24, async () => (await import('./chat/chat.tsx')).Chat),
  instructions: InstructionsView,
  consent: withSettings('consent', Consent),
  countdown: CountdownView,
  payoff: PayoffView,
  custom_html: lazyView('custom_html', 25, async () => (await import('./custom/custom-html.tsx')).CustomHtml),
  timer: TimerView,
  progress: ProgressView,
}

/** By the type of a component in somebody's definition, which may be unknown. */
export const views: ReadonlyMap<string, View> = new Map(Object.entries(viewsByType))

/**
 * Loads the views of these types that are not part of the page; undefined if all are there. A view that cannot be loaded
 * now is loaded when it is shown.
 */
export function loadViews(types: readonly string[]): Promise<unknown> | undefined {
  const loading = [...new Set(types)].flatMap((type) => views.get(type)?.load?.() ?? [])
  return loading.length === 0 ? undefined : Promise.allSettled(loading)
}
