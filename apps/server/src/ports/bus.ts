/** What instances tell each other. Delivery is best effort: whoever listens must also heal without it. */
export interface BusMessages {
  sessions_changed: { sessionIds: string[] }
  /** Somebody has completed: a room in which they have a seat no longer counts on them. */
  participant_completed: { participantId: string; outcome: string }
  /** Somebody has come or gone: there may be a group to form. */
  waiting_changed: { experimentId: string }
  /** A session has connected to the waiting room: older sockets of it elsewhere are replaced. */
  waiting_seat_taken: { sessionId: string; socketId: string; at: number }
  /** A group was claimed for this pod: it is to make their room. */
  room_reserved: { podId: string }
  /** A room is on another pod from now on. */
  room_moved: { roomId: string }
}

export interface Bus {
  publish<Topic extends keyof BusMessages>(topic: Topic, message: BusMessages[Topic]): Promise<void>
  subscribe<Topic extends keyof BusMessages>(
    topic: Topic,
    listener: (message: BusMessages[Topic]) => void,
  ): void
  close(): Promise<void>
}
