import { describe, expect, it } from 'vitest'
import { namesOf } from '../../room/names.ts'
import { conversation } from './conversation.ts'

const said = (messageId: string, from: string, componentId: string | null) => ({
  messageId,
  from,
  componentId,
  text: messageId,
  at: 0,
})

describe('a conversation', () => {
  it('has the messages of its chat and those of the researchers, and names each new speaker', () => {
    const lines = conversation(
      [
        said('1', 'P2', 'here'),
        said('2', 'P2', 'here'),
        said('3', 'P3', 'elsewhere'),
        said('4', 'P1', 'here'),
        said('5', 'researcher', null),
        said('6', 'P2', 'here'),
      ],
      { chatId: 'here', ownAlias: 'P1', names: new Map() },
    )
    expect(lines.map(({ id, side, name }) => [id, side, name])).toEqual([
      ['1', 'other', 'P2'],
      ['2', 'other', undefined],
      ['4', 'own', 'You'],
      ['5', 'researcher', 'The researchers'],
      ['6', 'other', 'P2'],
    ])
  })

  it('[R43] names agents and mediators where they are disclosed, and nowhere else', () => {
    const seat = { role: 'seller', status: 'active', presence: 'connected', ready: false } as const
    const names = namesOf([{ ...seat, alias: 'P2', agent: 'Sam' }])
    const spoken = [
      { ...said('1', 'P2', 'here'), agent: true },
      { ...said('2', 'Moderator', 'here'), agent: true },
      said('3', 'P3', 'here'),
    ]
    const lines = conversation(spoken, { chatId: 'here', ownAlias: 'P1', names })
    expect(lines.map(({ name, isAgent }) => [name, isAgent])).toEqual([
      ['Sam', true],
      ['Moderator', true],
      ['P3', false],
    ])
  })
})
