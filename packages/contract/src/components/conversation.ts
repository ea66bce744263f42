import { Type } from 'typebox'
import { defaultTo, inUnit } from './annotations.ts'
import { declareType } from './component-type.ts'
import { Choice, Text, Whole } from './settings.ts'

export const chat = declareType({
  type: 'chat',
  title: 'Chat',
  description:
    'A chat in the room. It consists of messages (`send_message`), not responses. Participants who do not see the component do not see its messages.',
  place: 'both',
  takesMessages: true,
  settings: Type.Object({
    label: Text('Title', 4_000, 'Title of the chat; none when absent'),
    placeholder: Text('Placeholder', 500, 'Hint in the empty field; none when absent'),
    maxLength: defaultTo(
      4_000,
      inUnit(
        'characters',
        Whole('Longest message', 1, 4_000, 'Maximum length of a message, in characters; 4,000 when absent'),
      ),
    ),
    audience: Choice(
      'Who reads a message',
      ['everyone', 'neighbours'],
      '`everyone` who sees the chat, or its author and their `neighbours` in the network of the room at that moment',
    ),
  }),
  responds: 'none',
  requiredByDefault: false,
  records: 'Each message with its sender and time.',
  example: { settings: { label: 'Talk to the other person', maxLength: 500 } },
})
