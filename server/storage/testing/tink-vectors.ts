/** Test vectors published by Tink (tink-crypto/tink-java, AesGcmHkdfStreamingTestUtil, Apache 2.0). */
import type { StreamKey } from '../sealed/stream.ts';
import type { StreamParameters } from '../sealed/stream-format.ts';

type Vector = { name: string; key: StreamKey; plain: Buffer; sealed: Buffer };

type Parameters = [hash: StreamParameters['hash'], derivedKeySize: 16 | 32, segmentSize: number];

const short = '6eb56cdc726dfbe5d57f2fcdc6e9345b';
const long = `00112233445566778899aabbccddeeff${short}`;

function vector(
  name: string,
  [hash, derivedKeySize, segmentSize]: Parameters,
  [key, associatedData, plain]: [key: string, associatedData: string, plain: string],
  ...sealed: string[]
): Vector {
  const parameters = { hash, derivedKeySize, segmentSize };
  return {
    name,
    key: { parameters, key: Buffer.from(key, 'hex'), associatedData: Buffer.from(associatedData, 'latin1') },
    plain: Buffer.from(plain),
    sealed: Buffer.from(sealed.join(''), 'hex'),
  };
}

/** The segment size has no effect on a single segment that is not full. */
const aes256 =
  '28fae780c70a82d1256c8303a1261ac6a98cf557b4e173967a62f3c149517ba5b2431da93b3c6e90f508b34dc14bfda59bab05681c6ad3fa';

const nothing: [name: string, parameters: Parameters, key: string, sealed: string][] = [
  [
    'nothing, SHA-1',
    ['sha1', 16, 64],
    short,
    '18ec99b2c3884194023bd41bb9bff309205354c750fa0cb3c0d02609abf71f88eaeaa48d7deca27f',
  ],
  [
    'nothing, SHA-256',
    ['sha256', 16, 64],
    short,
    '18be78bce0cab6fd38a9041eea8ab0ffc4cf17e3c00b661d3927f5f79069f41a210fedc40b25648c',
  ],
  [
    'nothing, SHA-512',
    ['sha512', 16, 64],
    short,
    '18fec8139ccb406e0f140d7e2bcc41e1b899bc1b121574cc31d1c78ed2ca1cdf324665b8dce21095',
  ],
  [
    'nothing, a key of 32 bytes',
    ['sha1', 16, 64],
    long,
    '180880e85a24207a7b72cefde26306ed09d7d76e58104b751d005a3ffd72dd6151f0d9c8ccf163f7',
  ],
  ['nothing, AES-256', ['sha1', 32, 64], long, aes256],
  ['nothing, AES-256, segments of 128 bytes', ['sha1', 32, 128], long, aes256],
];

export const tinkVectors: Vector[] = [
  vector(
    'three segments',
    ['sha1', 16, 64],
    [short, 'aad', 'This is a fairly long plaintext. It is of the exact length to create three output blocks. '],
    '1893b3af5e14ab378d065addfc8484da642c0862877baea8',
    'db92d9c77406a406168478821c4298eab3e6d531277f4c1a051714faebcaefcbca7b7be05e9445ea',
    'a0bb2904153398a25084dd80ae0edcd1c3079fcea2cd3770630ee36f7539207b8ec9d754956d486b71cdf989f0ed6fba6779b63558be0a66e668df14e1603cd2',
    'af8944844078345286d0b292e772e7190775c51a0f83e40c0b75821027e7e538e111',
  ),
  vector(
    'one segment filled to its end',
    ['sha1', 32, 120],
    [long, '\x00\x01\x02\x03', 'BLOCK 1.BLOCK 2.BLOCK 3.BLOCK 4.BLOCK 5.BLOCK 6.BLOCK 7.BLOCK 8.'],
    '28782994617714a80fa085e15051a16854522330d6d0f26c049b2192f09cdd98b2eb90c753bfff277a29e54fa4afb15d648c28477eb07f012535c767f5fdce24',
    'ffffae318480c1d37357d6d3c511159318afa09ef38aa3f5456fd7817c5c02dd6e1a7fef174c8bd24e38b5982ac105497c0101ac5581fe5b',
  ),
  ...nothing.map(([name, parameters, key, sealed]) => vector(name, parameters, [key, '', ''], sealed)),
];
