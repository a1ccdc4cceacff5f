// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The error functions of double. Steps with forms, as in steps.cl: where tables are in registers, a polynomial about the
// next of some points, whose coefficients are looked up one by one, takes less time than one for all arguments.
#include "double_math.h"

LW_OPERATION double __lw_op_lookup4_d(__constant const double*, ulong);
LW_OPERATION double __lw_op_lookup_d(__constant const double*, ulong);

// A polynomial up to 1, then 1 - e^P(x), and 1 from 6 on.
LW_STEP double __lw_step_erf_d(double x) {
  const double a = ABS(x), z = a * a;
  const double p = POLYNOMIAL(z, -0x1.aabdf50c4da9bp-31, 0x1.d6c28db6ef650p-27, -0x1.5bf8f537bd435p-23,
      0x1.b97d3a77ad9adp-20, -0x1.f4ca00d550f25p-17, 0x1.f9a2b4e81d390p-14, -0x1.c02daff55ef5ap-11,
      0x1.565bccf6e2f23p-8, -0x1.b82ce311e44e9p-6, 0x1.ce2f21a0405b8p-4, -0x1.812746b0379acp-2, 0x1.06eba8214db68p-3);
  const double b = a > 6.0 ? 6.0 : a;
  const double g = POLYNOMIAL(b, -0x1.26ae571fddf34p-35, 0x1.00776c30fc5edp-30, -0x1.4cf4dbfb3a47ep-27,
      0x1.54c423cba4bf6p-26, 0x1.4cfba6bc52fe5p-21, -0x1.20c9767b3fdedp-17, 0x1.075adc5d529dfp-14,
      -0x1.4271da0d8163fp-12, 0x1.13cf33c386275p-10, -0x1.2a36eb680a3abp-9, 0x1.9106a3263ad63p-11,
      0x1.32cdbb00724b6p-6, -0x1.a4151faabeb4bp-4, -0x1.45fd42f64f124p-1, -0x1.20dc4d4139aaep+0,
      -0x1.f08a282c4aecap-20);
  const double large = 1.0 - lw_exp_shifted_d(g, 0.0);
  return lw_with_sign_d(a < 1.0 ? MAD(a, p, a) : large, x);
}

// Coefficients about the multiples of 55/32, the highest first; from tools/fit/polynomials.py (erf_cells).
static __constant const double kWide[21][4] = {
    {-0x1.3f31c8c4a7c41p-18, -0x1.e8cd9d9b8a030p-28, 0x1.57da2aa615640p-31, -0x1.1037b7c6d2facp-33},
    {0x1.129f4d76ae365p-15, 0x1.74c8bb04caed1p-26, -0x1.87501dcb2ab80p-32, 0x1.fa5f138f6a5b1p-46},
    {-0x1.9dae457cffbb6p-14, 0x1.0f586628579e5p-24, -0x1.3790e2d15ec30p-29, 0x1.f6b2b57303d0cp-32},
    {0x1.5ae59eb5dd5eep-13, -0x1.863401ad24186p-22, 0x1.47320cee3f177p-28, 0x1.28a5d391682eap-38},
    {-0x1.3a5eda06e1cfdp-13, 0x1.dea90fc807d40p-27, -0x1.5892c467ae895p-27, -0x1.93258d7953e12p-31},
    {0x1.84af94b8c7f5bp-16, 0x1.bca1ef89973fep-19, 0x1.46e34ece085bbp-28, 0x1.23cb7b57444c4p-35},
    {0x1.7796e0870f700p-14, -0x1.9e8f33791e13fp-18, 0x1.8504517afd50cp-24, 0x1.2fb239e6b8d85p-31},
    {-0x1.8236b77d88afap-16, -0x1.01a643ddb8317p-16, -0x1.9bc5347cd4525p-22, 0x1.44b3d72f380b4p-33},
    {0x1.edaf077494a73p-14, 0x1.3c50ce100fbd6p-14, 0x1.8461fbf86500bp-21, -0x1.41d6d97fcea23p-31},
    {-0x1.e1f4390002fc8p-11, -0x1.10905fd34f852p-15, 0x1.90d1648910458p-27, 0x1.abc6fcb04bd03p-32},
    {0x1.a5efbddaf19afp-16, -0x1.c97f30cb4b92dp-12, -0x1.42d0339a2f65bp-18, -0x1.c8375eec74a85p-32},
    {0x1.55e405e02a3f4p-8, 0x1.0e795202e395bp-10, 0x1.33045e71307a0p-16, 0x1.527fb4700ff5bp-31},
    {0x1.8af7bc90d0511p-20, 0x1.e1788ac0f70cap-12, -0x1.6eb0259a5ff9fp-15, -0x1.678292bef45c6p-31},
    {-0x1.b82dcba05b2c0p-6, -0x1.96dc7bb184469p-8, 0x1.458b9dfe1aa3cp-14, 0x1.3492e61703de5p-31},
    {0x1.7b24d893f3c28p-26, 0x1.51b4d071c06b7p-7, -0x1.c1f727ccb930cp-14, -0x1.cfec740a6fc19p-32},
    {0x1.ce2f213a98193p-4, 0x1.3bc75e906be65p-8, 0x1.e8d1145f2460bp-14, 0x1.270dde641be72p-32},
    {0x1.085ad224ae455p-34, -0x1.91674e1393441p-5, -0x1.9d03985c6273ap-14, -0x1.30413dc2bbb46p-33},
    {-0x1.812746b03d457p-2, 0x1.8a27806de805ap-4, 0x1.07978c7b81881p-14, 0x1.ea5f66813df55p-35},
    {0x1.8836845b43069p-47, -0x1.9e12e1fde764bp-4, -0x1.e06a8b3b902adp-16, -0x1.22b86052caa2ap-36},
    {0x1.20dd750429b6dp+0, 0x1.e1d4cf1e24509p-5, 0x1.1783ceac28a0ep-17, 0x1.c324c2153d869p-39},
    {0.0, 0x1.f848acb544e95p-1, 0x1.ffffd8e1a2f22p-1, 0x1.ffffffffff542p-1},
};
// About the multiples of 25/64.
static __constant const double kNarrow[13][16] = {
    {0x1.0a60f8313255ep-9, 0x1.2fc31c0b93a60p-12, -0x1.1ee28ac1521cdp-13, -0x1.e177e53347771p-14,
     0x1.709757962d794p-14, 0x1.7e5c3f8da20f1p-15, -0x1.6ae9c36ab5918p-17, 0x1.55410cf3305d7p-18,
     -0x1.811ce82812051p-18, 0x1.87bcc29ca7182p-16, -0x1.1c2d2ae066551p-16, -0x1.e0e22d82abec1p-20,
     0x1.ae6503ebc82d5p-17, 0x1.fd14234587be9p-18, -0x1.0e6cf3cefc490p-17, 0x1.e9972d1fe66d9p-19},
    {-0x1.85115e9cddf07p-9, 0x1.5f74f83fe1cd5p-13, 0x1.2bd098fc003d7p-11, -0x1.fc1d9d7d4de8cp-13,
     -0x1.91384ca7eb2b9p-13, 0x1.92b95cea64821p-14, 0x1.4e6e4b539b7c8p-15, -0x1.0063cf949a1f6p-16,
     -0x1.ae48887880e1cp-18, 0x1.0702e3feddd39p-21, 0x1.251483b46877cp-21, 0x1.dc2b98859502fp-24,
     0x1.902a5b083010bp-27, 0x1.9890d2feb4dbfp-31, 0x1.0e31ac9893da1p-35, 0x1.df0634b70f43ep-41},
    {0x1.fdeaabc8230e1p-11, -0x1.0422bdd6cce07p-9, 0x1.9ca57c3447c9ep-12, 0x1.119903e5b99cfp-10,
     -0x1.02f3e1157c667p-12, -0x1.4df3230ce820bp-12, 0x1.59bf2ccf44569p-15, 0x1.dd75cf5f28fa9p-15,
     0x1.4507a5af020d6p-18, -0x1.e2f6ce48cd962p-18, 0x1.fa8cdf9bff1fep-22, -0x1.81f15001096f5p-27,
     -0x1.9086e61091fdcp-20, -0x1.d3fbe599911f4p-21, 0x1.f09489a5e4d52p-21, -0x1.c188f6cf3302cp-22},
    {0x1.45ad30fa6d0d0p-8, -0x1.8a1bb182c968cp-13, -0x1.fc2ea01dec6a9p-9, 0x1.46ba012193c9fp-13,
     0x1.a3cc2da0f6f92p-10, 0x1.66a1b745fb859p-14, -0x1.71ee2f9fec8b6p-12, -0x1.4fb69d80201b9p-14,
     0x1.ab06261d42db8p-16, 0x1.ea579acb7b262p-17, 0x1.913366f57421cp-19, 0x1.70c2ecf7abcb8p-22,
     0x1.aa39657786cccp-26, 0x1.45931726cd78fp-30, 0x1.51f03ee1156d9p-35, 0x1.e50ac8d2ba453p-41},
    {0x1.5bfa2da4cbe39p-15, 0x1.7074c2ef13997p-7, 0x1.39c614e21ceb2p-10, -0x1.8df87b3aace90p-8,
     -0x1.760ba668f978ep-10, 0x1.9f6421f8798abp-10, 0x1.6a74bccba39a7p-11, -0x1.489d398c3c6eap-14,
     -0x1.d2d935bd2e67bp-14, -0x1.0cc5bb49db95dp-15, -0x1.5130c2fd116a9p-18, -0x1.00f9ac863aae5p-21,
     0x1.2556653b356c1p-25, 0x1.3767374fd9b75p-25, -0x1.567dc7002efacp-25, 0x1.35bc39a699945p-26},
    {-0x1.b83f2146151a9p-6, -0x1.09977e74dbd0fp-8, 0x1.3533174746812p-6, 0x1.e06b8e8bc6024p-8, -0x1.74c2fb1c4c1c9p-8,
     -0x1.0493839808646p-8, -0x1.39038a514573cp-15, 0x1.58341b2256092p-11, 0x1.176cf3c1cd8c7p-12,
     0x1.c5585bf3cb5b4p-15, 0x1.c0c4dc97ba04ap-18, 0x1.22b722c531debp-21, 0x1.fe6a88981665ep-26,
     0x1.35e005e487f09p-30, 0x1.07b1df75ab173p-35, 0x1.3d783bc1584f4p-41},
    {0x1.3ad4cc3596ca0p-22, -0x1.9ebc1e37b4f9ap-5, -0x1.75578e85ba855p-6, 0x1.2c1727da9b94ap-6, 0x1.16f9c981923a4p-6,
     0x1.b4bb919309280p-10, -0x1.997581fbd7161p-9, -0x1.c5229f47e2f75p-10, -0x1.da49357444294p-12,
     -0x1.2c5bbeb0b2adap-14, -0x1.f1839d295a28ep-18, -0x1.17af563a8871dp-21, -0x1.c9d11a76c1230p-26,
     -0x1.bb964e614d2f2p-30, 0x1.a781ee7564e14p-31, -0x1.8a43244dd9ed5p-32},
    {0x1.ce2f1e50a23b1p-4, 0x1.4dd7b2cde875bp-5, -0x1.da50ae522e817p-5, -0x1.cf38b999b69d1p-5, -0x1.075c08813decep-7,
     0x1.a342ba1363652p-7, 0x1.250942c28c152p-7, 0x1.7e02d8b86a0d9p-9, 0x1.2e7e76402e540p-11, 0x1.3b124fc307ba7p-14,
     0x1.bfc96a900449fp-18, 0x1.bb32dde2e9ad1p-22, 0x1.3575380112cf9p-26, 0x1.338c41394f94ap-31,
     0x1.b5c5fc458c68ep-37, 0x1.c0559d3eaf4bfp-43},
    {0x1.4d28508f6ddd5p-32, 0x1.5c0fc7764a242p-3, 0x1.22cdbdb48b331p-3, 0x1.cf82babd3ad7cp-7, -0x1.8a7c6a233f762p-5,
     -0x1.33137b2323e40p-5, -0x1.daa30056e1284p-7, -0x1.c812e5f541a5dp-9, -0x1.24544f4434161p-11,
     -0x1.024885cdc6a47p-14, -0x1.405de1909aee2p-18, -0x1.1a22a6b0f8d98p-22, -0x1.6327d317fb3ebp-27,
     -0x1.3af82cf74bc1fp-32, -0x1.cd969f1b25d58p-37, 0x1.b9013b2c9e2c2p-39},
    {-0x1.812746b0486d1p-2, -0x1.cb7bf78e2d3e6p-3, 0x1.715e595344505p-5, 0x1.54c0d66d769dfp-3, 0x1.0453f90d3bd43p-3,
     0x1.c24b2053e25f1p-5, 0x1.fa73d7eb1b96dp-7, 0x1.8566142164350p-9, 0x1.a3737e2a2a457p-12, 0x1.40ee07ac32d0fp-15,
     0x1.5fe5d47565266p-19, 0x1.161fb53aac672p-23, 0x1.3e380de0e2809p-28, 0x1.085b867db4075p-33,
     0x1.3fa8308c32bcap-39, 0x1.19d120d1de6a8p-45},
    {0x1.52feda77ace4ep-46, -0x1.837a59aa735f5p-2, -0x1.ea4feea4e589cp-2, -0x1.56f1bdf85e3c1p-2,
     -0x1.3a47801c56b8fp-3, -0x1.8dfda7411fe55p-5, -0x1.6496420207af5p-7, -0x1.c9d7f91153b63p-10,
     -0x1.a8670aa8bdbecp-13, -0x1.1d67f016dacbep-16, -0x1.1769cd7d58652p-20, -0x1.8f2c0672c3fa1p-25,
     -0x1.a0d0b152eabf8p-30, -0x1.3eb818c50acb5p-35, -0x1.57719804f9694p-41, -0x1.520557d9d0dd4p-46},
    {0x1.20dd750429b6dp+0, 0x1.eff8c4b1375dbp-1, 0x1.39ccc1b136d5ap-1, 0x1.24a55399ea23ap-2, 0x1.92470a61b6966p-4,
     0x1.978ae8b55ce1bp-6, 0x1.30499b503957fp-8, 0x1.4ee1429bf7cc0p-11, 0x1.0f9e1b4dd3703p-14, 0x1.44ba864670a7ap-18,
     0x1.1e1e857adc51ap-22, 0x1.7397c5a66ace1p-27, 0x1.63ac6b4ec7e5cp-32, 0x1.f5cc77178ee68p-38,
     0x1.04e15ecbac6a5p-43, 0x1.8fd4e014eb0f0p-50},
    {0.0, 0x1.ad68966569a87p-2, 0x1.762870f720c6fp-1, 0x1.ce1962c0e0d8bp-1, 0x1.f21c9f12f0677p-1,
     0x1.fd0f5317f582fp-1, 0x1.ff87b1913e853p-1, 0x1.fff18ebe2b0e1p-1, 0x1.fffeb3ebb267bp-1, 0x1.ffffe9bf4098cp-1,
     0x1.fffffee3cc32cp-1, 0x1.fffffff57632dp-1, 0x1.ffffffffb5be5p-1, 0x1.fffffffffe7c0p-1, 0x1.fffffffffffa2p-1,
     0x1.fffffffffffffp-1},
};

#define W(n) __lw_op_lookup4_d(kWide[20 - n], place)
LW_STEP double __lw_step_erf_d_v3(double x) {
  const double a = ABS(x), b = a > 6.0 ? 6.0 : a;
  const double t = MAD(b, 1.0 / 1.71875, LW_ROUNDER_D), h = MAD(t - LW_ROUNDER_D, -1.71875, b);
  const ulong place = __builtin_astype(t, ulong) << 32;
  const double fourth = lw_fourth(h);
  const double first = MAD(lw_quad(h, W(20), W(19), W(18), W(17)), fourth, lw_quad(h, W(16), W(15), W(14), W(13)));
  const double second = MAD(lw_quad(h, W(12), W(11), W(10), W(9)), fourth, lw_quad(h, W(8), W(7), W(6), W(5)));
  const double p = MAD(MAD(first, fourth * fourth, second), fourth, lw_quad(h, W(4), W(3), W(2), W(1)));
  return lw_with_sign_d(MAD(p, h, W(0)), x);
}

#define N(n) __lw_op_lookup_d(kNarrow[12 - n], place)
LW_STEP double __lw_step_erf_d_v4(double x) {
  const double a = ABS(x), b = a > 6.0 ? 6.0 : a;
  const double t = MAD(b, 1.0 / 0.390625, LW_ROUNDER_D), h = MAD(t - LW_ROUNDER_D, -0.390625, b);
  const ulong place = __builtin_astype(t, ulong);
  const double p = POLYNOMIAL(h, N(12), N(11), N(10), N(9), N(8), N(7), N(6), N(5), N(4), N(3), N(2), N(1));
  return lw_with_sign_d(MAD(p, h, N(0)), x);
}

// P((x - 4) / (x + 4)) / (1 + 2 x)
LW_STEP double __lw_step_erfc_factor_d(double x) {
  const double t = (x - 4.0) / (x + 4.0);
  const double p = POLYNOMIAL(t, -0x1.8b477bdb256a6p-30, -0x1.b2d6c95ba8385p-27, -0x1.16ce09660182bp-27,
      0x1.e25a03304b66dp-24, 0x1.09a0e46f1999bp-24, -0x1.be45983ecf221p-21, 0x1.45ce83f488148p-22,
      0x1.7f87ecde571c6p-18, -0x1.78b499c9cac86p-17, -0x1.9965617b642bdp-16, 0x1.3be139acb957dp-13,
      -0x1.a1deae656366ap-13, -0x1.8d4aa8242b68dp-11, 0x1.49c671d4045bap-8, -0x1.09623873ad5afp-6,
      0x1.3079edf8eefc8p-5, -0x1.0fb06dfeb629ap-4, 0x1.7fee004e00f45p-4, -0x1.9ddb23c3e3015p-4, 0x1.16ecefcfa5974p-4,
      0x1.f7f5df66fc487p-7, -0x1.1df1ad154a28fp-3, 0x1.3ba5916e9fd7fp+0);
  return p / MAD(x, 2.0, 1.0);
}

// With q = x / (x + 4), coefficients about the multiples of 29/512.
static __constant const double kRest[10][16] = {
    {0x1.bc2de450d62f1p+0, 0x1.882f4600732c5p+0, 0x1.34eb650a6bb4ep+0, 0x1.cdf4d796a9202p-1, 0x1.fcbac0041ac62p-2,
     0x1.cbe4778667585p-3, -0x1.21dd7e3daf464p-4, -0x1.0c298447abca1p-2, -0x1.82e06a4e737f2p-2, -0x1.a0e6b336a2ff2p-2,
     -0x1.946aef1e329c0p-2, -0x1.5d19ec78cd920p-2, -0x1.1dfd38f05e970p-2, -0x1.b877475c5f6bdp-3,
     -0x1.4910f4ba747c8p-3, -0x1.7a95becdb47fcp-4},
    {-0x1.1df3a44146b00p+0, -0x1.50e05487b446cp-2, 0x1.788510b2eccebp-2, 0x1.cb1b73bee3dc4p-1, 0x1.449a83abe6b92p+0,
     0x1.6f0a59eac3aa1p+0, 0x1.77176f220e9e8p+0, 0x1.5f69d23f4928fp+0, 0x1.34d3ca9f24704p+0, 0x1.00c6df3b05adfp+0,
     0x1.98f1bd834de07p-1, 0x1.38ce10695da80p-1, 0x1.d093c767eee36p-2, 0x1.507d02bc31eb2p-2, 0x1.deedd6768fb6ep-3,
     0x1.52f8e5539b33fp-3},
    {-0x1.44f29b87310c0p+2, -0x1.5950e13cadd00p+2, -0x1.582a16f44f77fp+2, -0x1.45464aeaf6028p+2,
     -0x1.256ba48ffde44p+2, -0x1.fb980bc4ba3f6p+1, -0x1.a67e06e3130c1p+1, -0x1.538cef212e4a7p+1,
     -0x1.0866598176bb9p+1, -0x1.907187ba8e5bep+0, -0x1.281818a1f1fdfp+0, -0x1.ad685e1b70be0p-1,
     -0x1.32b2fb05ea532p-1, -0x1.b16c7c5d13828p-2, -0x1.3034b516f78d9p-2, -0x1.a9c0b666501e2p-3},
    {0x1.018ffc50085bap+4, 0x1.c04e9bcb56374p+3, 0x1.7ba3145fdfccep+3, 0x1.3906aaa608ce8p+3, 0x1.f70e73444767ep+2,
     0x1.8a6751ffd4dd0p+2, 0x1.2e305198eab31p+2, 0x1.c57d17ea3d034p+1, 0x1.4e159d1aad51cp+1, 0x1.e4bc5cd3c9fcep+0,
     0x1.5b71615c1c9c0p+0, 0x1.edcc3ddb38567p-1, 0x1.5d13748340057p-1, 0x1.ec8a1661c531ap-2, 0x1.5bc270e94f845p-2,
     0x1.eca266ab84ef5p-3},
    {-0x1.98056900a79e5p+4, -0x1.461c340ec9460p+4, -0x1.ff8a9ccf12ccbp+3, -0x1.89f30f2b2b126p+3,
     -0x1.2a32d9c23c04cp+3, -0x1.bc5858ffa0b3bp+2, -0x1.4675215d33dbcp+2, -0x1.da17d157d220fp+1,
     -0x1.551c949b3c4a6p+1, -0x1.e7c2e1ba2ed28p+0, -0x1.5b86faf350524p+0, -0x1.eee5ca358c5b1p-1,
     -0x1.610d196d67051p-1, -0x1.f9cbb0b7705f8p-2, -0x1.6c7575577b744p-2, -0x1.08891cae2344fp-2},
    {0x1.b0dcfa9c5aa89p+4, 0x1.492d64d93ac18p+4, 0x1.ee1d8d183c6a7p+3, 0x1.6e6e60eb4b95fp+3, 0x1.0cea5924dc789p+3,
     0x1.8754f2999c07ap+2, 0x1.1aecb2a1764f0p+2, 0x1.977915e1d1882p+1, 0x1.24fef1ead147fp+1, 0x1.a5ca41fc36575p+0,
     0x1.309c9d87c7c79p+0, 0x1.ba55c14875b96p-1, 0x1.436c43208abfbp-1, 0x1.dce29b22c0480p-2, 0x1.62d08d156fbb5p-2,
     0x1.0a8f5927da33fp-2},
    {-0x1.4a85eaa177dedp+4, -0x1.e945c18901fddp+3, -0x1.6778af70da00ap+3, -0x1.069dc432187dap+3,
     -0x1.7e4f767048c40p+2, -0x1.15ddc117a0e6fp+2, -0x1.943b1b2988305p+1, -0x1.26ed480e9905cp+1,
     -0x1.b092f5bf1eb0cp+0, -0x1.3f7313268e22fp+0, -0x1.dbd21c231ae9fp-1, -0x1.65c463e3c86dbp-1,
     -0x1.0fc73254f1528p-1, -0x1.a153d3549abfdp-2, -0x1.43dd991ee5668p-2, -0x1.fc04763ba2aa0p-3},
    {0x1.6f91457deb223p+3, 0x1.0e80104536650p+3, 0x1.8dd55c8c4cf06p+2, 0x1.24f21a275e813p+2, 0x1.b0ee1db82ff98p+1,
     0x1.41b0c84c57101p+1, 0x1.e1a6ceed97551p+0, 0x1.6bdd3185f625fp+0, 0x1.15bb1c8c738c4p+0, 0x1.acba6dd15d42fp-1,
     0x1.4ec56330f8bc6p-1, 0x1.087ba674fb845p-1, 0x1.a6c106089629dp-2, 0x1.55a91ed5ffc4bp-2, 0x1.17143c82f7dc3p-2,
     0x1.cc87a35772e12p-3},
    {-0x1.20dd750429b6dp+2, -0x1.b244d9c70862bp+1, -0x1.48bfa0b153faap+1, -0x1.f63bd5f207801p+0,
     -0x1.83bc6f5962451p+0, -0x1.2eebb9c016071p+0, -0x1.df5df130e0a14p-1, -0x1.8049372e356f1p-1,
     -0x1.381be6b3f8472p-1, -0x1.00b9e20e49491p-1, -0x1.ab7bf9bbd0beep-2, -0x1.67fa6385d9abcp-2,
     -0x1.3258f23731920p-2, -0x1.0740ae7967e74p-2, -0x1.c87c8c43ae11ap-3, -0x1.8f02dbabb7938p-3},
    {1.0, 0x1.8e3052a086b92p-1, 0x1.385d5c39446b2p-1, 0x1.ee3fe21a4948ep-2, 0x1.8a15fc56eaad4p-2,
     0x1.3c528b3c2eff9p-2, 0x1.fe66d664b1bfdp-3, 0x1.9d11a9bfa4259p-3, 0x1.4e8c5e44863efp-3, 0x1.0e616ce354ef3p-3,
     0x1.b2926a8ff9696p-4, 0x1.59aadc24574a4p-4, 0x1.0e697d7c18b61p-4, 0x1.9c1edb407dc98p-5, 0x1.2d0889a369897p-5,
     0x1.98a8fe84de3ccp-6},
};

#define R(n) __lw_op_lookup_d(kRest[9 - n], place)
LW_STEP double __lw_step_erfc_factor_d_v4(double x) {
  const double q = x / (x + 4.0);
  const double t = MAD(q, 512.0 / 29.0, LW_ROUNDER_D), h = MAD(t - LW_ROUNDER_D, -29.0 / 512.0, q);
  const ulong place = __builtin_astype(t, ulong);
  const double p = POLYNOMIAL(h, R(9), R(8), R(7), R(6), R(5), R(4), R(3), R(2), R(1));
  return MAD(p, h, R(0));
}
