import type { PlannedTrial } from '@atrium/contract/components'

/** What the page tells the frame, once: all it needs to know. */
export interface RunMessage {
  atrium: 'run_timeline'
  trials: readonly PlannedTrial[]
  language: string
  direction: string
  /** The study’s own colours, as CSS; empty for ours. */
  accent: string
  onAccent: string
  /** On the button of a touch screen that stands for any key. */
  anyKey: string
}

/** What the frame tells the page. */
export type FrameReport =
  | { atrium: 'frame_loaded' }
  /** All pictures are there, and the first trial begins. */
  | { atrium: 'timeline_started' }
  | { atrium: 'trial_finished'; data: Record<string, unknown> }
  | { atrium: 'timeline_finished' }
  /** A file or a picture is missing, or a plugin does not understand its parameters. */
  | { atrium: 'timeline_failed' }
