import { describe, expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { newSigningSecret, signatureHeaders } from './signature.ts';

const message = { id: 'evt_1', at: Date.now(), body: '{"id":"evt_1","data":"é"}' };

describe('the signature of a message', () => {
  test('is accepted by the official verifier with each of the secrets, and with no other one', () => {
    const secrets = [newSigningSecret(), newSigningSecret(), newSigningSecret()];
    const headers = signatureHeaders(message, secrets);
    for (const secret of secrets) {
      expect(new Webhook(secret).verify(message.body, headers)).toEqual(JSON.parse(message.body));
    }
    expect(() => new Webhook(newSigningSecret()).verify(message.body, headers)).toThrow(
      'No matching signature',
    );
    expect(() => new Webhook(secrets[0]!).verify(`${message.body} `, headers)).toThrow();
  });

  test('is that of the specification', () => {
    const { 'webhook-signature': signature } = signatureHeaders(
      { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', at: 1_614_265_330_000, body: '{"test": 2432232314}' },
      ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
    );
    expect(signature).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
  });

  test('is by a secret of 32 bytes', () => {
    expect(newSigningSecret()).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  });
});
