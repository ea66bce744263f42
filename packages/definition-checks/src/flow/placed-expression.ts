import type { Component } from '@atrium/contract'
import type { Source } from '@atrium/expressions'

/** An expression where it stands in the definition, and what it can read there. */
export interface PlacedExpression {
  path: string
  text: string
  /** Computed once for several people. */
  isRoomWide: boolean
  /** Its value is set once. */
  mayDraw?: true
  /** It is evaluated at one moment. */
  mayReadTime?: true
  /** R61: components of the same page, whose answers it can read. */
  page?: ReadonlySet<string>
  /** R62: the component that it belongs to; absent elsewhere. */
  component?: Component
  /** Absent where it belongs to no state. */
  stateId?: string
  /** What `trial` has there, if not what it has in the state. */
  trial?: Source
}
