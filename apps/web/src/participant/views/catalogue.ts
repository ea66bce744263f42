import type { ComponentTypeName } from '@atrium/contract'
import { ChatView } from './chat/chat.tsx'
import { CustomHtmlView } from './custom/custom-html.tsx'
import { CountdownView, TimerView } from './display/clocks.tsx'
import { ImageView } from './display/image.tsx'
import { PayoffView } from './display/payoff.tsx'
import { ProgressView } from './display/progress.tsx'
import { TextView } from './display/text.tsx'
import { ConsentView } from './gates/consent-view.tsx'
import { InstructionsView } from './gates/instructions.tsx'
import { lazyView } from './lazy-view.tsx'
import { ContinuousRatingView } from './media/continuous-rating.tsx'
import { AudioView, VideoView } from './media/media-views.tsx'
import { SparseRatingView } from './media/sparse-rating.tsx'
import { DateView } from './questions/date.tsx'
import { DropdownView } from './questions/dropdown.tsx'
import { LikertView } from './questions/likert.tsx'
import { MatrixView } from './questions/matrix.tsx'
import { MultipleChoiceView } from './questions/multiple-choice.tsx'
import { RankingView } from './questions/ranking.tsx'
import { SliderView } from './questions/slider.tsx'
import { TextInputView } from './questions/text-input.tsx'
import type { View } from './view.ts'

/** One view for each type of the contract’s catalogue: a missing one does not compile. */
const viewsByType: Readonly<Record<ComponentTypeName, View>> = {
  text: TextView,
  image: ImageView,
  video: VideoView,
  audio: AudioView,
  multiple_choice: MultipleChoiceView,
  dropdown: DropdownView,
  text_input: TextInputView,
  date: DateView,
  slider: SliderView,
  likert: LikertView,
  ranking: RankingView,
  matrix: MatrixView,
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
  continuous_rating: ContinuousRatingView,
  sparse_rating: SparseRatingView,
  chat: ChatView,
  instructions: InstructionsView,
  consent: ConsentView,
  countdown: CountdownView,
  payoff: PayoffView,
  custom_html: CustomHtmlView,
  timer: TimerView,
  progress: ProgressView,
}

/** By the type of a component in somebody's definition, which may be unknown. */
export const views: ReadonlyMap<string, View> = new Map(Object.entries(viewsByType))
