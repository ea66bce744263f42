/** What instances tell each other. Delivery is best effort: whoever listens must also heal without it. */
export interface BusMessages {
  sessions_changed: { sessionIds: string[] }
}

export interface Bus {
  publish<Topic extends keyof BusMessages>(topic: Topic, message: BusMessages[Topic]): Promise<void>
  subscribe<Topic extends keyof BusMessages>(
    topic: Topic,
    listener: (message: BusMessages[Topic]) => void,
  ): void
  close(): Promise<void>
}
