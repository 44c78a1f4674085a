/** Deflated AVIF files of one colour, encoded by sharp (effort 0, quality 30): encoding the four takes half a minute. */
import { inflateRawSync } from 'node:zlib';

/** By side in pixels. */
const deflated = {
  4500: [
    'Y2BgkEkrqSxILMtMY2BgYMjNTDMEsXMzE0H8a7mpJYkMEKCYkZJTBGUzFGQmlzCgAaXMnPxkEMPFgYGRgREs9gtKMzBuY2BgUM7MzEuDcBkYGEQz',
    '89JSmaC8xDIDQxCTryCzJBeuJCyzoKiAgYHBIrMgOZ+BgYEnsczQudEArEkks7ggFWK44BQIZhAoyKzIBIkwc3BwMDAwiGUW5MLcz8jAyNzIxMzA',
    'wLgvNyWxRIiBi8vGWFld0myCwIVMo6XMgoac3ZOXzcps7W1kYAg7f0rruxiPU7eQVdJ2R7bzYQ0/ufrDbNavLa7/16/ULOSyKJlvzokqm+8zlTzv',
    'WZ65O3PeicXfJNcGPN/45CFzmZGn1cnJFa8PFZScb5cq3CyhYyvkwb2Jpc5PK+f8Kfe65Z46agqtPOs8vydGXVTcNy9/zr5p7Ms6BJuunK+Lkvp5',
    'UnzSmp2dywJ/31WZvy536/crl/Ku/z/2Qaas6NnRPy0PStJToyZKz23Z2NKrfY/zdXWJYNCeGXyWWjPOTMlT/TlfM8hlTfsd0+9T351xgNqm/d8o',
    'jNtQuXoJP8tHjhsfvB8qHJ1REOEVd+ht+a1zN1It6nfVzFvv6vrW2+fkeebmW837hHqnOJyI0xNws8ps1bl3R/+Og7UxP3NcuIWNW7rZP7XD2yeJ',
    'FCRNML76/sQMZe8D5xObVlSt1Oc4f8o97fX++HcSem3svIfbQ65sa2n5ZGB1TT1kdtjBXuWZF8U/2UyWDDUW5zF2kT/tw3P59fyrR3oPcDSublg7',
    '/+48ps9Cj35EXvkodStEIfbGDw0LhVJRyVVy8VsyL5/iOvjTe0/dl2UCAA==',
  ],
  5000: [
    'Y2BgkEkrqSxILMtMY2BgYMjNTDMEsXMzE0H8a7mpJYkMEKCYkZJTBGUzFGQmlzCgAaXMnPxkEMPFgYGRgREs9gtKMzAFMTAwKGdm5oGtAYuKZual',
    'pTJBeYllBoYgJl9BZkkuXElYZkFRAQMDg0VmQXI+AwMDT2KZoXOjAViTSGZxQSrEcOEOCGYQKMisyASJMHNwcDAwMIhlFuTC3M/IwMjcyMTMwMAU',
    'lZuSWCLEwMVlY6zOb1E2QeBCptFBFmFDzu7Jy2ZltvY2MjDEnj+l9V2Mx6lbyCppuyPb+bCGn1z9YTbr1xbX/+tXahZyWZTMN+dElc33mUqe9yyP',
    'yP9t3dEad7PI+cyUnwJhtxbl80xlPqzK27tp9a3MK4wK/iv2T3Va5949f/N8+6K+mXMTpp0/5V633FNHTaGVZ53n98Soi4r75uXP2TeNfVmHYNOV',
    '83VRUj9Pik9as7NzWeDvuyrz1+Vu/X7lUt71/8c+yMw0mRl/5P/Nm6lMO9Tmniqy1r3esJLriMqzTouwE0oH5KacjchIa0w4G5Qt/fDBc4PtsxXq',
    'N8W4rTnq2378e+TUXw3PpfIdFEJ3Oh48xy7qzvUrNOL0pyDLlNdcXyouzZ8wGeIu7f9GYdyGytVL+Fk+ctz44P1Q4eiMggivuENvy2+du5FqUb+r',
    'Zt56V9e33j4nzzM332reJ1Tl4yd2fcmruf+2+8+aUMVXu805kftvgva32aLuDp1mfCeWBuw6yDLX53ebwNdotU7tBPH4yXGnny0TTjtqs7u19iH3',
    'iUk1NtYSeXM1q6+fNnDjleVV2xP1QOGPqrPN0hXnT7mnvd4f/05Cr42d93B7yJVtLS2fDKyuqYfMDjvYqzzzovgnm8mSocbiPMYu8qd9eC6/nn/1',
    'yDT++qIn/mwTPy6t1v/28alT3S/ViPccERqq16qa1j+LYbu3fvnGpGilagaftcyvZjAzXjxqErglymFvYfahFUYxh9UvuF07qNUhse5L0jGbZk/l',
    'lM4rEV6uAZ8ulrKlNSaY9mfyfSlc+L/zhOuH+faTOHK6uNUONAAA',
  ],
  5400: [
    'Y2BgkEkrqSxILMtMY2BgYMjNTDMEsXMzE0H8a7mpJYkMEKCYkZJTBGUzFGQmlzCgAaXMnPxkEMPFgYGRgREs9gtKMzC+YWBgUM7MzEuDcBkYGEQz',
    '89JSmaC8xDIDQxCTryCzJBeuJCyzoKiAgYHBIrMgOZ+BgYEnsczQudEArEkks7ggFWK4qAQEMwgUZFZkgkSYOTg4GBgYxDILcmHuZ2RgZG5kYmZg',
    'YPySm5JYIsTAxWVjrKUfWDZB4EKm0W1mQUPO7snLZmW29jYyMCSdP6X1XYzHqVvIKmm7I9v5sIafXP1hNuvXFtf/61dqFnJZlMw350SVzfeZSp73',
    'LI/IH7j5t0Cl8+3aQxEaf4vyk21W7/wn5nkjY7X/J2ZVuY2W1/vmz9u2JY2L0++JQN62X5UBX9kPr6g6f8q9brmnjppCK886z++JURcV983Ln7Nv',
    'GvuyDsGmK+froqR+nhSftGZn57LA33dV5q/L3fr9yqW86/+PfZCZadJf4XI0Pn/ZDeVVmX7tV9c/MdmffjCINcRlD8/WY/U3F8Sc2zxz+t6alXc/',
    'uK6ulfmt4l/+eBFr3JsLhulKbBPZH0Dt1v5vFMZtqFy9hJ/lI8eND94PFY7OKIjwijv0tvzWuRupFvW7auatd3V96+1z8jxz863mfUJVPr5u13+H',
    '7WipvtFhv95x8t+au1eV0+OVCnXavpy9fWJR54sm5ZcJH79l+z7bPPvFt6S5hau3VnYfuONwb5Vl8ZdJ353Pfjl/yj3t9f74dxJ6bey8h9tDrmxr',
    'aflkYHVNPWR22MFe5ZkXxT/ZTJYMNRbnMXaRP+3Dc/n1/KtHpvFXJr44u+cY8y/LCfNm9wRaur85858/5eqNNsukmGevn/dKL9mnu+rHXoEfvvde',
    'h7+TWlBR8MD2/Ppnax739TUAAA==',
  ],
  10000: [
    'Y2BgkEkrqSxILMtMY2BgYMjNTDMEsXMzE0H8a7mpJYkMEKCYkZJTBGUzFGQmlzCgAaXMnPxkEMPFgYGRgREs9gtKM3ByMTAwKGdm5oGtAYuKZual',
    'pTJBeYllBoYgJl9BZkkuXElYZkFRAQMDg0VmQXI+AwMDT2KZoXOjPViTSGZxQSrEcHUBCGYQKMisyASJMHNwcDAwMIhlFuTC3M/IwMjcyMTMwMAp',
    'lJuSWCLEwMVt/z2df47tEhYTKQejH4LCZ5ySnrxcNisxOcGBIfb8Ka3vYjxO3UJWSdsd2c6HNfzk6g+zWb+2uP5fv1KzkMuiZL45J6psvs9U8rxn',
    'eUT+b+uO1ribRc5npvwUCLu1KJ9nKvNhVd7eTatvZV5hVPBfsX+q0zr37vmb59sX9c2cm1B6/pR73XJPHTWFVp51nt8Toy4q7puXP2ffNPZlHYJN',
    'V87XRUn9PCk+ac3OzmWBv++qzF+Xu/X7lUt51/8f+yAz06S/wqzmeBV7+tc9zZUC8ipnJh+f/mJ7bz/r7q3//TaIJzO8FtrzoVXQdq5EhxS7mci5',
    'l07fHCauzF4TpTZA1p6nxFpd+S1+N1n3Omd3ZjI7Pf+2+Ozho9fimGxeBwrwXQpbtJh5/ScjBaGGe45tB5LzRBXXPjcsfh86/6Loi/uchi7bYy4V',
    'PX0c53N+5bJX/gLKApoPDr5cz17s6WC92HrXJylO39Ctc3dkiFzL5tn5WsHh48Ko19bPc5Y31c4/VV4yce4GX+GN6TqVCbvPxFidv8z9tobvZ7tl',
    'l+q7vw+h4aj93yiM21C5egk/y0eOGx+8HyocnVEQ4RV36G35rXM3Ui3qd9XMW+/q+tbb5+R55uZbzfuEqnz8xK4veTX333b/WROq+Gq3OSdy/03Q',
    '/jZb1N2h04zvxNKAXQdZ5vr8bhP4Gq3WqZ0gHj857vSzZcJpR212XVyWe/6Ue9rr/fHvJPTa2HkPt4dc2dbS8snA6pp6yOywg73KMy+Kf7KZLBlq',
    'LM5j7CJ/2ofn8uv5V49M469MvPVKQtT/1vtZMQEZqU0VE384n6uwmFaZdPv6z43vw+5MXc23tjPllVPc+QyprS+5zatCnhvKW7yls3WnyLNO9ty7',
    'Gb2r62Kq00+2n7+boT+JK2nvnWtOq0q1rK5VXKiS+tkrellp07I950rfXnzSKirNn++qvKiWRzH8VkvjtHebjT3NT+x7GvjP8oel4gm2+c3PHq4o',
    'a77NeOheqZz6UukX3VWMN1cqhMofzJjQyzktNt1vY16EzaPdl6pXqddUzvwqtmS6/9LtT47dlc7dc/PG/XnXrc+aJz8wnDqaQEYTCN4EMpH+CYTz',
    'tLpg+dUP7Nmas/eXqefsbbmXNFl2XrL6s9RNc150phv00C82dU+yRfD+cYuReby4VL0j/sg2JzmlD5c5ZR7yP+8XsmDq/NzfMLhcM7RT3kH1hcc4',
    '031PsDdnikflHwx9WNij9fvb3Zoai+VJ304AAA==',
  ],
};

export const flatAvif = (side: keyof typeof deflated): Buffer =>
  inflateRawSync(Buffer.from(deflated[side].join(''), 'base64'));
