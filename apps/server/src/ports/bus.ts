import type { BusMessages, BusTopic } from '@atrium/coordination'

/** What instances tell each other. Delivery is best effort: every listener must recover without it. */
export interface Bus {
  publish<Topic extends BusTopic>(topic: Topic, message: BusMessages[Topic]): Promise<void>
  subscribe<Topic extends BusTopic>(topic: Topic, listener: (message: BusMessages[Topic]) => void): void
  close(): Promise<void>
}
