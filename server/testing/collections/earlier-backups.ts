/** Backup files that version 0.1.0 wrote: two snapshots each, with one object in common. */
import { gunzipSync } from 'node:zlib';

/** Opens the sealed file. */
export const earlierKey = Buffer.alloc(32, 7);
export const earlierInstallation = '11111111-2222-4333-8444-555555555555';
export const earlierTimes = ['2026-01-01T00:00:00.000Z', '2026-01-02T00:00:00.000Z'];
export const earlierObjects = ['first', 'second', 'third '.repeat(200)].map((text) => Buffer.from(text));

const unpacked = (lines: string[]) => gunzipSync(Buffer.from(lines.join(''), 'base64'));

export const plainBackup = unpacked([
  'H4sIAAAAAAACA+2YTW7jNhTHvfYFCnRFcB077/GbPkRXAxSYYhaPX4lmbDmQFBTTaa7Ra3TdE/UAvUAhqfEkGRSd1lMnmfAPgzIpSiIl/fie/he03e',
  'bu/SpQfHd9tX7b79vFlxYAgAGYtvDpFgSKBWoJqI2VBhaASoFZMFicQNf9QN0CTnKtJ6Kf1Xd/rH/79fdvv//lmw+87LsdDXyDZ7xp+4G2Wxqafcs3',
  'HP/SSgghVkpKuXJKqZW+I37GY5dpyIlvuABhVmN//QrVRuBGmrX36jU/4zvq3vENt1EqlYsUOXgq2SJp6w1afrNcVD2C9uFtjkN/TtZLG4wKLhJpV0',
  'BagSGYQLHoaF0MQuqSQ4ZsIWBwKibvtUJlkMDlY/gH0Pf5F1IYrPyfgv/SdP1QMXjx/KORxhLFYCwpArTRJXIUvDZOxBikB2ekdVAsokqJgCBD1Noo',
  'FW1Ux/FvHvAvrK78n4T/Psd9myoHL51/8Gh9Lp58jIIiJlRS6VysRy90Et54EikkCFEKwuBRORlDQJLBFH1c/Ff2k/hf8/9T5f/zG8A3fEoF+M3yTt',
  'O8OtTk/OtV39JVf7kf+vPp4w1wBfgKYDP91gDw+nxHbVNyP/xnc+Cf+LfyQfxHa62q/J+E/yU7OAAMz5aMX3X7i452fMM4rHENfGwcml0eW/7uJZk6',
  '3bcP2Gf6B0vG+3iZd3Q7gIHCNvd8w35YMvZhyRjjLc2Xb3Z0kfvxGMZ43G+vd+1tR8Zul62x8mbu0u1/HPeLuXZF3fCx+3Rmxnh/SUKbabpHxsB5XO',
  'Mpm5/G4Up/27Bt2mlGYqrfTCNcTn/GgfLSzBMeh8Tj/rodHwaMB/Pwfph2zbVd0/dNe3GoJxpvSDrUDzN8s2Q3y89Ztv8N//Od+vL8o4AH8R8Aa/w/',
  'Cf9WokGTwSspnU7ekbcWXQkZPIREXqiihBXktcgeU5DGZNSmyOwkATF2LzzUROGZ5v/Ok3KkjMlSGx9k0sZ5Q5AcGR0om5iUNKiTtijAupCU9in5DC',
  '75pOwR/Ath7vKP0/c/6Mr/KfgfLpsusVrWspa1fPpljdj/T/w3JpQCiJmszULJQiRTAuOEEibLkMCMprxXHmXUBSPYkCg4Aa7YEuJR/p9+GP8loqzx',
  '/8T+38Hsu9M2Q1cNwJfk/4nH9f9w9v/q9/+T9v/EV+j/HRsDH/p/Cp6l/yce1//Dyf8TUPk/Bf+xBKcleZm8ilaHFFPBYnI0yZVcwCqFZFKJINH4KK',
  'NLWksLongajcPq/1VVVVU9T/0JcDStVAAwAAA=',
]);

export const sealedBackup = unpacked([
  'H4sIAAAAAAACA+2aazRVe7/Hl0hUdJEkXbRKJJd5v5Bjq5VNUblUQjLnXHMhl8Wy2LFD2blsuWWHYrt1d0lRbrmMehBFDxIlm3YUPYmdS9oIZzz7nB',
  'fn9Lw4Y5z2cfZ+nvUdc/z+L+YcY843n/H5/79julAeHqwoQJemGHc/b72jvkIvzu8dAAAADAB+W4F/XAEIhDggCgMgiuEwBnIAEEEwkKMOcOYgfr5i',
  'SsQB5uRdf5D00LnK8TW2jXY8R9NvuQKhyJMScw0gHa6bl6+Y8vCgxG5CL64BF/zP6EIQBOkiMAzrEgiC6KL/JVwdLiNiKTHL5xpwIQDCdP/+PGoLIg',
  'YQaADjegBI2HN1uJ6UyJ1rwGUhDKJoECUBBkERhkEJBEEZBOMGLeRI8v8QIX2UZcS++hROwjiNITTBUBRKCAAYh0CaxmiKEaAMTjA0BKMClmYBFgdo',
  'kCYQhk+SKAIiGEgBBPsl/AMA+t/5h2AYRiT8zwX/AjeRr1iCwb88/yAGYzhFMTSGUwgFgDhD8CmCokkUIyCGoWESIDAYJwABDoIIn08BFMACDIpiCM',
  'LgDPJl/GOf8w9AEv7nhH9flhF68SUc/KvzT2AwygcJhCVhkEVRFOTTCARjDIoJMBICUBpFGBIkYQoCBCyNMSDBYAiGAwQkEICU4Mv4x/DP+IdQDJPw',
  'Pxf8q+dsMLbPzw59TD20Liu2CMTGI8WyGTErX1VFRp1XHykW2ivN7HVwl5mFulrGh8Pvv1DsP6i29owEnH+S+HpR3r6uQrGv/m+HNwDUBUBbADD47d',
  'IDAMBe35PychOwvmI9X5byYP8Xrvgf+IdAHP6MfwCGAQn/c8F/q81OE4udPCmOzH/ck+JwOEV1WXWeIYqFHzatsBB9vJ9yfQ3TMCIz2KaaWvG93caV',
  's3K1FSmiLv1FK6x/9vo0udS4ezzhkGJqgkxz1SlY0eZdS8X5W7cKT2/zUvja2uj3/natoW+okUeJKjLfSF0TfJQtsA4cvejwePe5d+VXHJfMS9RyOR',
  'L3rHZL4ODi+TmhU+tnVwbyvjIIi0tW2xV+3EUcsqzTXzn4os9gQFwE9FNS3VB7Qg/cYHLmPfzIOvpVqNq7datCuk7f9TO7mZC4o4nQV90rVFe2tmng',
  'Erys/PQTz5W2jv/k2tqvKLcmZFHOZuMxp8GMZZTuwFPH6bKv5bpSLujvzsoKOhef6zQ163Xf7Xa77JvV+fMPwllFBpesFjkk+VUetv2Gae5VtE95U9',
  'sLezQkVwSmDV/4YUsdMU85AvGZLr1iFHxvU/3ZpqHhvcdlh5dW5fPfzHSHql0z51aavTM9ttW8NqtdVxiR93yn4RlXtfSx/SsbRAPpl3SKpM2zerbJ',
  'nhZuPJSz16jGNHmprpnKgsa7JjJHVZZtfjlzqOvtrZjJF8D+fo1uXKgj77/8hVrBhu1xS39OT/4QVf+oVUHu0aIr1z2lFTSfJU/FVgg1YtjQJb/OBk',
  '8+vt5cX/1dc+HbB8a7Jw79SP3F7fbWlo79C1zR5DpDJ6NlRS9r42dfDUdWziQGHBT1TAQJInKgj7GTmvfSfx4O6tNGnqic3GljYmiYO7xoC5n6qeNo',
  '6h678wGrtWZrR8e2rv7loGzeYHXt8uLjrQOrmNX1aP1Dv6QWRfERkeeLGJ+ooWaqZ4UJE7X7UPe91ElrB9+natFSMn0KBpqKuz5yVz4D+/sL5af9K9',
  'vnW4k/OI8jxWdPHH4Zmq4V3JRbk7Zf72C5cML1UhtnNT1YJZPRomvruMvHfOJmkTizVdPSbNdF9fGyOs9tVZYyykV34/K6wl8HC5HIhVLTcmUh0S46',
  '5XeuPF/QaeGXNsArmafTUaKeLWWqF+eVXmD7aW/ztsMfmguiKs8tCYm8/PT1D0mtFznY09WPzOZVV8aciTR7R9UUAzbtPY+eUx+ckAYlvhzRLZ2QY3',
  'ZB6mGNXTg0eWL+ufTKmv47PilFS+vD1l+W7wioT544Vpv37mjnu3vwQKnG186JCQNZJ/bXvWrxN87sCfNvm68dsKun71hUCW/W56X0KpneDoMgv78d',
  'VtGsL4u9KrTM/qtve91P75pylZzsSnn9JfIRY1VXZbP2bCnkcU41RhvzqwLK9i62rPjq5BOe9vHktVuH2eeqQtbvK6O2yM7B5Ltf9w2c5SxIeKJw9Z',
  'Jzqt6FBpZ0S37gtnA8/8D6tvl1SeZSLkaI6VXnkITzre6GqEvWXxraz2iECmXSs378amy5vOG3S8dTrsWoBN9eeGm99Oh1l4cua0vFm27+nLMDUkkp',
  '6VTN7lxyLETRdyK12sR9IiI4okQi3z+b/10pCMV+d/8DIAR97n8AhyX+nwv/YwzEx2EWJnEGAUkSYkEQxQCCIhABQxI0DoIQAuAIyQgoHBIAtICPIw',
  'IQZVCcAglcgKqrf7Y9lPT4f87zP0khBIVgGAujGEnDfBQjSIwC+ASFoTTFYgwfgTEQ5aM4CAE4QfMRlOTzSRYg+CQfwb9k/w9hwOfnfxzFJfzPBf9i',
  'VzcRX10yJVMyJfOPPyXG/r/xPwOyAMEyAhjBIYIQgCAGAiRCIixJ/d34OETQJB+GcQFCAAzOwgRNAAQCYSAG4QIBTHxR/4//g/9hDJX4fy78f8/9Pb',
  'dz4smxUF6XxcPlUqmoZZrGxBvv7Ay/Qagxc7p5fOjpJVPRlaiCfVpm36l092f61dQuqTDUl5DzT3v+h/4Q/b/k/78/TP8fCzAzcbFhby8MlxsFa+vc',
  '0IgSbdiAKK3z7v0xR9f27XtjV8N2i0/DDmphcYM1ff0fA1ay9++Sm3Mb61wu/u79f4obz61PbApatWf1q5fbNdYcSL2RZf7dao22mdJ9uYt2L7jjHP',
  '3IIjbw6nWDaL7e2WvFSnk2p7QS6vSTxh63B0Qpju5wbHsa1Yl66MVlacv9KuslFfxLb6jc+k0VCo/NdwXtc536Qcr4Wq/0lQvHN5XFFZvq2uDdd0Wi',
  'ipOahNPU+Q21Oy5J+81g32gf+TcP1VfYAds7JuqD/unLbuancRLLBuN2T+wh7EyqVBpE/ZtL76f2bNPsWqqalvhLdhI0EltwYyOQqp1vtKZA45RhPK',
  'yWWF3r2cGn86b3GUFt0t7+HR9+Kj1hqztk9svCSm+7MzN/K2wYPmfOW4sD2JPhxRciC8RH3cEHF9e9GnwmXLF71frFPQ9eV3hMLSgKqi8uO78XEsqP',
  'RbQpTjg983c3Xr1d3/5jWWCbIe/muqHXDf43a5WKJuvink0L28LSqltEChVLcLtUKxhMNDupOPE+wTrk7cNiZFV6/sH3IredYHoNdkZ1T8Rl5+utsr',
  'fTM2eknVfEiGKs8xaq5jnJR4qsz5nfCktfZ2Win4A/d3off/+w54rZHQrlUn6P3Y906CSEZpiv21iieDykzq+wL4pWd751APu14tQKp5SgdTbNA/FV',
  '6VFs4UCPgyD2emOemZX9IG9P6WnPCZtce/lXWsbrA6325OZ5BUQFFOPgyzt2xVc8jpSCdtmWrhHKd0LDzTIcew7FCNeObo/3eRHVZ97mYCIIGnHddv',
  'vH7eNRXSWZOq0lvMYTqppt9/3l2g4AhplrYnNGom7dz4i3LA/RTHItiXHlbfjOnDNtnNLYpCBdAPgsbFLpKzp5Mu2Ad3W1oWfYmpwjG4u+H7Q/5Nri',
  'iA1io35mWuf2nclu8h4b+WvyAp2e9n2L45aJ7BWd17x4rnL7tt6NtaPfyya8SAkUGYzc2M7q3gsP78pUki9a6/Ymq/qO6pClMK1AuTSGs3HzG1XVyW',
  'jrGNhxx8XyPt6JpKbOKLMjD+X6xuBu164jSgUfF/VFb3eMTl9uEX/+8vGp7gxbwels9FTa/gTbeJf2yNex56PtIyL404mal602JV2seCrTTgEHrLRH',
  'a044bfu44JLfexfqicPBqVU/JIblx2xx87FgNJeM3jzt8K3SDdNKjSHevqSlEwn2Kknuuz+90htK7e09u+6kddukbdJUjWtQaPjVhxHD1net3mdYXt',
  '1yWK6QVA4x8HZqSX72RDWzy9Tj5oBs4TPt2N7B12+zTysuuQKPdzQVh3dP+5RP+toISCNnzoyWTabaYcTwToSso4+jH0dXuUnXc15I/6asmsMyeRoP',
  'XEdMGpDvwzc996ySFIV/Ov/PZf8v+f9vTvxPCPgYwIAYDWMkwcdYhgZRiOaTNA0IGBKmWYoPMiyNAQhKMBRNYXwMIDAIQnAEJ/kIKen/JZFEEkn+nP',
  'l3IuJ2MgA4AAA=',
]);
