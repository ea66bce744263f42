import type { ExportedEvent } from '@atrium/contract'

/** A record over all fields, so that one that the export gains does not compile until it is explained here. */
const meanings: Record<keyof ExportedEvent, string> = {
  participantId: 'Who, by the id that the platform gave them.',
  sessionId: 'The session it came through, by a name that stays the same and gives no access to it.',
  seq: 'Order of receipt within the session, from 1 and without holes.',
  type: 'What happened: state_transition, component_response, chat_message, connected, … or a name of your own.',
  timestamp: 'When it happened by the participant’s clock, in milliseconds since 1970.',
  receivedAt: 'When it was received by the server’s clock.',
  stateId: 'The state it belongs to; null when it has none.',
  componentId: 'The component it belongs to; null when it has none.',
  data: 'What was recorded. For a component_response, data.value is the answer.',
  eventId: 'What the page called the event, to make sending it again safe; null when it had no name.',
  revision: 'The revision of the definition that the participant joined.',
  roomId: 'The participant’s room; null for who never had one.',
  condition: 'The condition of that room; null without conditions.',
  role: 'The participant’s role.',
  alias: 'What the others in the room call them: P1, P2, …',
  round: 'The round of the block that it happened in, from 1; null outside blocks.',
  visit: 'How many states had been entered by then, so that two visits of a state are told apart.',
  origin:
    '“room”: recorded by the platform. “client”: sent by the participant’s page, whatever its type says.',
  roomSeq: 'Puts what happened in a room in order, across its participants; null for what a page sent.',
  flags:
    'Set when the event names a state or component which that revision does not have, or has a value that the component does not allow.',
  extra: 'Fields that your page sent beyond the documented ones; absent when there are none.',
}

export const columns = Object.entries(meanings).map(([name, meaning]) => ({ name, meaning }))
