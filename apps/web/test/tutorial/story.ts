import type { Locator, Page } from 'playwright-core'
import type { Hand } from './hand.ts'

/** A browser window and the hand of whoever sits before it. */
export interface Seat {
  page: Page
  hand: Hand
}

export interface Story {
  /** Where the platform is, as `npm start` prints it. */
  address: string
  researcher: Seat
  /** People who take part, each with a browser of their own. */
  participants: readonly [Seat, Seat]
  picture(name: string, seat: Seat, ringed?: readonly Locator[]): Promise<void>
}

/** By their titles on the page, in order. */
export type Steps = Record<string, (story: Story) => Promise<void>>
