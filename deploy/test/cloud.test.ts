import { describe, expect, test } from 'vitest'
import { functionKeys, readCallbackConfig, readSubmitConfig } from '../../apps/functions/src/config.ts'
import { objectsIn, referencesIn, resourcesOf, template } from './cloud-template.ts'

type Statement = { Effect: string; Action: string | string[]; Resource?: unknown; Principal?: unknown }

const functions = resourcesOf('AWS::Lambda::Function')
const variablesOf = (name: string): Record<string, unknown> => {
  const [, properties] = functions.find(([found]) => found === name) ?? []
  const environment = properties?.Environment as { Variables: Record<string, unknown> } | undefined
  return environment?.Variables ?? {}
}
const statementsOf = (name: string): Statement[] =>
  objectsIn(template.Resources[name]).flatMap((object) =>
    object.PolicyDocument ? (object.PolicyDocument as { Statement: Statement[] }).Statement : [],
  )
const actionsOf = (name: string): string[] =>
  statementsOf(name)
    .filter(({ Effect }) => Effect === 'Allow')
    .flatMap(({ Action }) => Action)
    .sort()

describe('the template of the cloud', () => {
  test('refers only to what it declares, and uses every parameter and condition', () => {
    const declared = new Set([...Object.keys(template.Parameters), ...Object.keys(template.Resources)])
    const used = referencesIn([template.Resources, template.Conditions, template.Outputs])
    const unknown = used.filter(({ name }) => !declared.has(name) && !name.startsWith('AWS::'))
    expect(unknown).toEqual([])
    const names = new Set(used.map(({ name }) => name))
    expect(Object.keys(template.Parameters).filter((name) => !names.has(name))).toEqual([])
    const conditions = objectsIn(template.Resources).flatMap((object) => {
      const [condition] = (object['Fn::If'] as string[] | undefined) ?? []
      return condition ?? []
    })
    expect([...new Set(conditions)].sort()).toEqual(Object.keys(template.Conditions).sort())
  })

  test('holds no secret: the key is resolved from Secrets Manager', () => {
    for (const name of ['SubmitFunction', 'CallbackFunction'])
      expect(variablesOf(name).INTERNAL_API_KEY).toEqual({
        'Fn::Sub': expect.stringMatching(/^\{\{resolve:secretsmanager:\$\{InternalKeySecret\}:/),
      })
  })

  test('keeps the videos when the stack goes, and from the public', () => {
    expect(template.Resources.Videos).toMatchObject({
      DeletionPolicy: 'Retain',
      UpdateReplacePolicy: 'Retain',
      Properties: {
        PublicAccessBlockConfiguration: {
          BlockPublicAcls: true,
          BlockPublicPolicy: true,
          IgnorePublicAcls: true,
          RestrictPublicBuckets: true,
        },
        NotificationConfiguration: { EventBridgeConfiguration: { EventBridgeEnabled: true } },
      },
    })
    expect(statementsOf('VideosPolicy')).toEqual([expect.objectContaining({ Effect: 'Deny' })])
  })
})

describe('the functions', () => {
  test('are the two that there are', () => {
    expect(functions.map(([name, { Handler, Runtime }]) => [name, Handler, Runtime])).toEqual([
      ['SubmitFunction', 'submit.handler', 'nodejs24.x'],
      ['CallbackFunction', 'callback.handler', 'nodejs24.x'],
    ])
  })

  test('get exactly the variables that their code reads', () => {
    const submit = Object.keys(variablesOf('SubmitFunction'))
    const callback = Object.keys(variablesOf('CallbackFunction'))
    expect(submit.sort()).toEqual(functionKeys.map(({ name }) => name).sort())
    const sample = (names: string[]) => Object.fromEntries(names.map((name) => [name, `https://${name}`]))
    expect(() => readSubmitConfig(sample(submit))).not.toThrow()
    for (const name of callback)
      expect(() => readCallbackConfig(sample(callback.filter((other) => other !== name)))).toThrow(name)
    expect(() => readCallbackConfig(sample(callback))).not.toThrow()
  })

  test.each([
    ['Submit', 2],
    ['Callback', 0],
  ])(
    '%s is tried again %i times within an hour, then the event is kept and an alarm raised',
    (name, retries) => {
      const queue = `${name}DeadLetters`
      const arn = { 'Fn::GetAtt': `${queue}.Arn` }
      expect(template.Resources[`${name}Invocation`]?.Properties).toMatchObject({
        FunctionName: { Ref: `${name}Function` },
        MaximumRetryAttempts: retries,
        MaximumEventAgeInSeconds: 3600,
        DestinationConfig: { OnFailure: { Destination: arn } },
      })
      const rules = resourcesOf('AWS::Events::Rule').flatMap(
        ([, { Targets }]) => Targets as Array<Record<string, unknown>>,
      )
      const [target] = rules.filter(
        ({ Arn }) => (Arn as Record<string, string>)['Fn::GetAtt'] === `${name}Function.Arn`,
      )
      expect(target).toMatchObject({
        DeadLetterConfig: { Arn: arn },
        RetryPolicy: { MaximumRetryAttempts: 3, MaximumEventAgeInSeconds: 3600 },
      })
      expect(template.Resources[queue]?.Properties.MessageRetentionPeriod).toBe(14 * 24 * 3600)
      expect(template.Resources[`${queue}Alarm`]?.Properties).toMatchObject({
        MetricName: 'ApproximateNumberOfMessagesVisible',
        Dimensions: [{ Name: 'QueueName', Value: { 'Fn::GetAtt': `${queue}.QueueName` } }],
        Threshold: 0,
        ComparisonOperator: 'GreaterThanThreshold',
      })
    },
  )

  test('have time for their attempts', () => {
    const seconds = functions.map(([, { Timeout }]) => Timeout)
    expect(seconds).toEqual([120, 60])
  })

  test('hear of originals and of job states, from the events that tests of the functions use', () => {
    expect(template.Resources.OriginalStored?.Properties.EventPattern).toMatchObject({
      source: ['aws.s3'],
      'detail-type': ['Object Created'],
      detail: { object: { key: [{ wildcard: 'videos/*/original/*' }] } },
    })
    expect(template.Resources.JobChanged?.Properties.EventPattern).toMatchObject({
      source: ['aws.mediaconvert'],
      'detail-type': ['MediaConvert Job State Change'],
      detail: { status: ['COMPLETE', 'ERROR', 'CANCELED', 'STATUS_UPDATE'] },
    })
  })
})

describe('rights', () => {
  const ownLog = ['logs:CreateLogStream', 'logs:PutLogEvents']
  test.each([
    [
      'SubmitRole',
      [
        'iam:PassRole',
        ...ownLog,
        'mediaconvert:CancelJob',
        'mediaconvert:CreateJob',
        'mediaconvert:Probe',
        's3:GetObject',
        'sqs:SendMessage',
      ],
    ],
    ['CallbackRole', [...ownLog, 'sqs:SendMessage']],
    ['TranscoderRole', ['s3:GetObject', 's3:ListBucket', 's3:PutObject']],
    [
      'InstancePolicy',
      [
        'mediaconvert:CancelJob',
        's3:AbortMultipartUpload',
        's3:DeleteObject',
        's3:GetObject',
        's3:ListBucket',
        's3:ListBucketMultipartUploads',
        's3:ListMultipartUploadParts',
        's3:PutObject',
      ],
    ],
  ])('of %s are exactly these', (name, actions) => {
    expect(actionsOf(name)).toEqual(actions)
  })

  test('name resources, except for probing, which has none', () => {
    const wide = Object.keys(template.Resources).flatMap((name) =>
      statementsOf(name).filter(({ Effect, Resource }) => Effect === 'Allow' && Resource === '*'),
    )
    expect(wide.map(({ Action }) => Action)).toEqual(['mediaconvert:Probe'])
  })

  test('to call a function belong to one rule', () => {
    for (const [, { Principal, SourceArn }] of resourcesOf('AWS::Lambda::Permission')) {
      expect(Principal).toBe('events.amazonaws.com')
      expect(referencesIn(SourceArn)).toHaveLength(1)
    }
  })
})
