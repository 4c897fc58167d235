/**
 * The territories of App Store Connect: each alpha-3 code (ISO 3166-1; `XKS` for Kosovo and `ANT` are Apple's) followed by
 * the alpha-2 code of its storefront. All codes of its OpenAPI document, version 4.4.1.
 */
const CODES = `
  ABWaw AFGaf AGOao AIAai ALBal ANDad ANTan AREae ARGar ARMam ASMas ATGag AUSau AUTat AZEaz BDIbi BELbe
  BENbj BESbq BFAbf BGDbd BGRbg BHRbh BHSbs BIHba BLRby BLZbz BMUbm BOLbo BRAbr BRBbb BRNbn BTNbt BWAbw
  CAFcf CANca CHEch CHLcl CHNcn CIVci CMRcm CODcd COGcg COKck COLco COMkm CPVcv CRIcr CUBcu CUWcw CXRcx
  CYMky CYPcy CZEcz DEUde DJIdj DMAdm DNKdk DOMdo DZAdz ECUec EGYeg ERIer ESPes ESTee ETHet FINfi FJIfj
  FLKfk FRAfr FROfo FSMfm GABga GBRgb GEOge GGYgg GHAgh GIBgi GINgn GLPgp GMBgm GNBgw GNQgq GRCgr GRDgd
  GRLgl GTMgt GUFgf GUMgu GUYgy HKGhk HNDhn HRVhr HTIht HUNhu IDNid IMNim INDin IRLie IRQiq ISLis ISRil
  ITAit JAMjm JEYje JORjo JPNjp KAZkz KENke KGZkg KHMkh KIRki KNAkn KORkr KWTkw LAOla LBNlb LBRlr LBYly
  LCAlc LIEli LKAlk LSOls LTUlt LUXlu LVAlv MACmo MARma MCOmc MDAmd MDGmg MDVmv MEXmx MHLmh MKDmk MLIml
  MLTmt MMRmm MNEme MNGmn MNPmp MOZmz MRTmr MSRms MTQmq MUSmu MWImw MYSmy MYTyt NAMna NCLnc NERne NFKnf
  NGAng NICni NIUnu NLDnl NORno NPLnp NRUnr NZLnz OMNom PAKpk PANpa PERpe PHLph PLWpw PNGpg POLpl PRIpr
  PRTpt PRYpy PSEps PYFpf QATqa REUre ROUro RUSru RWArw SAUsa SENsn SGPsg SHNsh SLBsb SLEsl SLVsv SMRsm
  SOMso SPMpm SRBrs SSDss STPst SURsr SVKsk SVNsi SWEse SWZsz SXMsx SYCsc TCAtc TCDtd TGOtg THAth TJKtj
  TKMtm TLStl TONto TTOtt TUNtn TURtr TUVtv TWNtw TZAtz UGAug UKRua UMIum URYuy USAus UZBuz VATva VCTvc
  VENve VGBvg VIRvi VNMvn VUTvu WLFwf WSMws XKSxk YEMye ZAFza ZMBzm ZWEzw
`

const STOREFRONT_OF: ReadonlyMap<string, string> = new Map(
  CODES.trim()
    .split(/\s+/)
    .map((pair) => [pair.slice(0, 3), pair.slice(3)]),
)

/** The storefront of a territory in lowercase alpha-2; null for an unknown code. */
export function storefrontOf(territory: string): string | null {
  return STOREFRONT_OF.get(territory) ?? null
}
