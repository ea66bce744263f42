import { Type } from 'typebox'
import { declareType } from './component-type.ts'
import { Text, Whole } from './settings.ts'

export const chat = declareType({
  type: 'chat',
  title: 'Chat',
  description:
    'A conversation of the room. What is said are messages (`send_message`), not responses; who does not see the component does not see its messages.',
  place: 'both',
  settings: Type.Object({
    label: Text(4_000, 'Title of the conversation; none when absent'),
    placeholder: Text(500, 'Grey text in the empty field; none when absent'),
    maxLength: Whole(1, 4_000, 'Longest message, in characters; 4,000 when absent'),
  }),
  responds: 'none',
  requiredByDefault: false,
  records: 'Each message with its sender and time.',
  secret: [],
  example: { settings: { label: 'Talk to the other person', maxLength: 500 } },
})
