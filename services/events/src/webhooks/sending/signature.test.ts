import { describe, expect, test } from '@jest/globals';
import { newSigningSecret, signatureHeaders } from './signature.ts';

describe('the signature of a message', () => {
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
