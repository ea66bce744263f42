import { describe, expect, it } from 'vitest'
import { conversation } from './conversation.ts'

const said = (messageId: string, from: string, componentId: string | null) => ({
  ...{ messageId, from, componentId, text: messageId, at: 0 },
})

describe('a conversation', () => {
  it('shows the messages of its chat and the researchers’ messages to all, and names each new speaker', () => {
    const lines = conversation(
      [
        said('1', 'P2', 'here'),
        said('2', 'P2', 'here'),
        said('3', 'P3', 'elsewhere'),
        said('4', 'P1', 'here'),
        said('5', 'researcher', null),
        said('6', 'P2', 'here'),
      ],
      { chatId: 'here', ownAlias: 'P1' },
    )
    expect(lines.map(({ id, side, name }) => [id, side, name])).toEqual([
      ['1', 'other', 'P2'],
      ['2', 'other', undefined],
      ['4', 'own', 'You'],
      ['5', 'researcher', 'The researchers'],
      ['6', 'other', 'P2'],
    ])
  })
})
